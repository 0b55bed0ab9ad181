"""The pages of the site as files: their links lead somewhere, they load nothing from elsewhere, and no mark of Markdown is left in them."""
import os
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlparse

SITE = sys.argv[1]
# Elements without an end.
VOID = {'area', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'}
wrong = []


class Page(HTMLParser):
    """Its anchors, links, what it loads, and the text of its article but for code."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads, self.text, self.prose, self.open = set(), [], [], [], [], []
        with open(os.path.join(SITE, path), encoding='utf-8') as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.anchors.update(named[name] for name in ('id', 'name') if named.get(name))
        if tag == 'a' and named.get('href'):
            self.links.append(named['href'])
        self.loads += [named[name] for name in ('src', 'data') if named.get(name)]
        if tag == 'link' and named.get('href') and named.get('rel') not in ('canonical', 'prev', 'next'):
            self.loads.append(named['href'])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while tag in self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if 'article' in self.open and not {'code', 'pre', 'script', 'style'} & set(self.open):
            (self.prose if self.open[-1] == 'p' else self.text).append(data)


pages = {}
for folder, _, names in os.walk(SITE):
    for name in names:
        if name.endswith('.html'):
            path = os.path.relpath(os.path.join(folder, name), SITE)
            pages[path] = Page(path)
for path, page in sorted(pages.items()):
    # The page of errors is served for any address, so it names its own files from the root.
    here = 'http://site/' + ('' if path == '404.html' else path)
    for link in page.links + page.loads:
        url = urlparse(urljoin(here, link))
        if url.netloc != 'site' or url.scheme not in ('http', 'https'):
            if link in page.loads and url.scheme != 'data':
                wrong.append(f'{path}: loads {link}')
            continue
        target = unquote(url.path).lstrip('/') or 'index.html'
        if os.path.isdir(os.path.join(SITE, target)):
            target = os.path.join(target, 'index.html')
        if not os.path.exists(os.path.join(SITE, target)):
            wrong.append(f'{path}: there is no {link}')
        elif url.fragment and target in pages and unquote(url.fragment) not in pages[target].anchors:
            wrong.append(f'{path}: no anchor for {link}')
    marks = [line for line in ''.join(page.text + page.prose).splitlines() if re.search(r'\*\*|\]\(|```|<!--|\|--|^#+ ', line)]
    for line in marks + [line for line in ''.join(page.prose).splitlines() if re.match(r'\s*([-*|]|#+|\d+\.) ', line)]:
        wrong.append(f'{path}: Markdown is left: {line.strip()[:100]}')

for line in wrong:
    print(line)
for needed in ('index.html', 'search/search_index.json', 'analyst.html', 'curator.html', 'operator.html'):
    if not os.path.exists(os.path.join(SITE, needed)):
        wrong.append(needed)
        print(f'there is no {needed}')
print(f'{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links')
sys.exit(bool(wrong) or len(pages) < 30)
