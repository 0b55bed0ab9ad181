// The page to play with: reads its form, asks the core (answers.cpp), draws what it says. Nothing is computed here but places in a picture
// and how many rows the made-up people have.
'use strict';

const DRAWS = 100;
const $ = (id) => document.getElementById(id);
const plain = (number) => number.toLocaleString('en', { maximumSignificantDigits: 6 });
const about = (number) => number.toLocaleString('en', { maximumSignificantDigits: 3 });
const whole = (number) => number.toLocaleString('en', { maximumFractionDigits: 0 });

// ---- the core -------------------------------------------------------------------------------------------------------

async function loadCore() {
  let memory;
  const bytes = (at, size) => new Uint8Array(memory.buffer, at, size);
  const zeros = (...places) => {
    for (const at of places) bytes(at, 4).fill(0);
    return 0;
  };
  const unknown = () => 52; // there is no such thing here
  const system = {
    random_get(at, size) {
      crypto.getRandomValues(bytes(at, size));
      return 0;
    },
    proc_exit(status) {
      throw new Error(`the core ended with ${status}`);
    },
    environ_sizes_get: zeros,
    environ_get: () => 0,
    fd_close: unknown,
    fd_write: unknown,
    fd_seek: unknown,
  };
  const module = await fetch('answers.wasm').then((answer) => answer.arrayBuffer());
  const { instance } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system });
  const core = instance.exports;
  memory = core.memory;
  core._initialize();
  // Calls a function; its results, or an error that says what was wrong.
  return (name, ...parameters) => {
    const said = core[name](...parameters);
    const end = bytes(0, memory.buffer.byteLength).indexOf(0, said);
    if (end > said) throw new RangeError(new TextDecoder().decode(bytes(said, end - said)));
    return (count) => Array.from(new Float64Array(memory.buffer, core.results(), count));
  };
}

// ---- the made-up people ---------------------------------------------------------------------------------------------

// Half of them have one row, a quarter two, and so on: of how many rows each counts up to `limit`.
function rowsOf(people, limit) {
  let rows = 0;
  for (let row = 1, having = people; row <= limit && having >= 1; ++row, having = Math.floor(having / 2)) rows += having;
  return rows;
}

// ---- the picture ----------------------------------------------------------------------------------------------------

function shape(name, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function ticks(low, high) {
  const rough = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, power * [1, 2, 5, 10].find((factor) => factor * power >= rough));
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) found.push(at);
  return found;
}

const LEFT = 20, RIGHT = 740, TOP = 60, BELOW = 200, HIGH = 76, AXIS = 290;

function drawPicture(truth, coarse, fine) {
  const picture = $('picture');
  picture.querySelectorAll(':scope > :not(title):not(desc)').forEach((old) => old.remove());
  const reach = 1.08 * Math.max(1, coarse.half, ...[...coarse.answers, ...fine.answers].map((a) => Math.abs(a - truth)));
  const low = truth - reach, high = truth + reach;
  const x = (number) => LEFT + ((number - low) / (high - low)) * (RIGHT - LEFT);
  const y = (top, i) => top + ((i * 37) % DRAWS) * (HIGH / DRAWS);
  const add = (...parameters) => picture.append(shape(...parameters));
  for (const [row, top, name] of [[coarse, TOP, 'coarse'], [fine, BELOW, 'fine']]) {
    add('rect', { class: name, x: x(truth - row.half), y: top - 6, width: x(truth + row.half) - x(truth - row.half), height: HIGH + 12 });
    add('text', { x: LEFT, y: top - 14 }, `ε = ${plain(row.epsilon)}: ± ${whole(row.half)}`);
  }
  coarse.answers.forEach((answer, i) =>
    add('line', { class: 'path', x1: x(answer), y1: y(TOP, i), x2: x(fine.answers[i]), y2: y(BELOW, i) }),
  );
  coarse.answers.forEach((answer, i) => add('circle', { class: 'coarse', cx: x(answer), cy: y(TOP, i), r: 3 }));
  fine.answers.forEach((answer, i) => add('circle', { class: 'fine', cx: x(answer), cy: y(BELOW, i), r: 3 }));
  add('line', { class: 'truth', x1: x(truth), x2: x(truth), y1: 24, y2: AXIS });
  add('text', { x: x(truth), y: 18, 'text-anchor': 'middle' }, `${whole(truth)} rows count`);
  add('line', { class: 'axis', x1: LEFT, x2: RIGHT, y1: AXIS, y2: AXIS });
  for (const at of ticks(low, high)) {
    add('line', { class: 'axis', x1: x(at), x2: x(at), y1: AXIS, y2: AXIS + 5 });
    add('text', { x: x(at), y: AXIS + 22, 'text-anchor': 'middle' }, whole(at));
  }
}

// ---- the page -------------------------------------------------------------------------------------------------------

function within(truth, row) {
  return row.answers.filter((answer) => Math.abs(answer - truth) <= row.half).length;
}

// What is shown, and the same for who looks at it with a program.
function show(id, text, values = {}) {
  $(id).textContent = text;
  Object.assign($(id).dataset, values);
}

function ask(core) {
  const number = (id) => Number($(id).value);
  const people = number('people'), limit = number('rows'), epsilon = number('epsilon'), finer = number('finer');
  if (!Number.isInteger(people) || people < 1 || people > 1e6) throw new RangeError('People: a whole number from 1 to 1,000,000.');
  if (!Number.isInteger(limit) || limit < 1 || limit > 20) throw new RangeError('Rows of a person: a whole number from 1 to 20.');
  const truth = rowsOf(people, limit), all = rowsOf(people, Infinity);

  const [half, error] = core('pose', number('noise'), epsilon, limit)(2);
  const coarse = { epsilon, half, error, answers: core('draw', truth, DRAWS)(DRAWS) };
  const [finerHalf, finerError, ...relaxed] = core('relax', truth, finer)(2 + DRAWS);
  const fine = { epsilon: finer, half: finerHalf, error: finerError, answers: relaxed };
  const fits = core('afford', number('budget'), number('delta'), finer)(6);

  const gaussian = number('noise') === 1;
  show('sql', `SELECT dp_count('*', ${epsilon}${gaussian ? ", 'gaussian'" : ''}) FROM visits;`);
  const inside = within(truth, coarse);
  show(
    'summary',
    `${whole(truth)} rows count, of ${whole(all)}. An answer is off by ${about(error)} on average, ` +
      `${about((100 * error) / truth)} %; 95 of 100 lie within ± ${whole(half)}. Here ${inside} of ${DRAWS} do.`,
    { truth, half, error, inside },
  );
  show('picture-text', `At ε ${epsilon} ${inside} of ${DRAWS} answers lie within ${whole(half)} of ${whole(truth)}.`);
  show(
    'relaxed',
    `From ε ${plain(epsilon)} to ${plain(finer)}: off by ${about(finerError)} on average, ± ${whole(finerHalf)}. ` +
      (gaussian
        ? `Divergences grow with the square of ε: the step costs ${plain(finer ** 2)} − ${plain(epsilon ** 2)} in squares, an answer drawn anew ` +
          `${plain(finer ** 2)}.`
        : `It costs ${plain(finer - epsilon)} more where ε adds up. An answer drawn anew would cost ${plain(finer)} more.`),
    { half: finerHalf, error: finerError, inside: within(truth, fine) },
  );
  show('once-head', `answers of ε ${plain(epsilon)}`);
  show('better-head', `the same, made ε ${plain(finer)} later`);
  show('twice-head', `the same, and one of ε ${plain(finer)} anew`);
  ['pure-once', 'pure-better', 'pure-twice', 'renyi-once', 'renyi-better', 'renyi-twice'].forEach((id, i) =>
    show(id, whole(fits[i]), { value: fits[i] }),
  );
  const rows = coarse.answers.map((answer, i) => {
    const row = document.createElement('tr');
    for (const value of [answer, fine.answers[i]]) row.append(Object.assign(document.createElement('td'), { textContent: value }));
    return row;
  });
  document.querySelector('#numbers tbody').replaceChildren(...rows);
  drawPicture(truth, coarse, fine);
}

async function begin() {
  const core = await loadCore();
  const answer = () => {
    try {
      ask(core);
      show('said', '');
      $('answers').hidden = false;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      show('said', error.message);
      $('answers').hidden = true;
    }
  };
  $('play-missing').hidden = true;
  $('play').hidden = false;
  $('play').noValidate = true; // what is wrong the core says
  $('play').addEventListener('input', answer);
  $('play').addEventListener('submit', (event) => {
    event.preventDefault();
    answer();
  });
  answer();
}

begin();
