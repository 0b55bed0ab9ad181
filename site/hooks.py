"""What mkdocs does not do by itself: pages from outside docs/, a nav of patterns, Markdown as repositories read it.

Links are written for readers of the repository. Here they lead to the same pages of the site; to files that are no pages, by a copy of
the file. What leads nowhere ends the build (mkdocs.yml says strict, and tools/site looks at the finished pages).
"""
import fnmatch
import logging
import os
import posixpath
import re

from markdown.blockprocessors import build_block_parser
from markdown.extensions import Extension
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PARTS = os.path.join(ROOT, 'build', 'site-parts')  # what tools/site made or fetched, as far as it could
PAGES = ('README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'test/data/README.md')  # outside docs/
LINK = re.compile(r'(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s]+)(\))')
log = logging.getLogger('mkdocs.hooks')


def slug(text, separator):
    """The anchor of a heading as repositories spell it (tools/lib/docs.sh does the same)."""
    return re.sub(r'[^\w -]', '', text.lower()).replace(' ', separator)


class ShortIndents(Extension):
    """What belongs to an item of a list stands two columns further in, not four. First of all, since it begins anew."""

    def extendMarkdown(self, md):
        md.tab_length = 2
        md.parser = build_block_parser(md)


def on_config(config):
    config['markdown_extensions'].insert(0, ShortIndents())
    config['mdx_configs'].setdefault('toc', {})['slugify'] = slug
    if os.path.exists(os.path.join(PARTS, 'mermaid')):
        from pymdownx.superfences import fence_code_format
        config['mdx_configs'].setdefault('pymdownx.superfences', {})['custom_fences'] = [
            {'name': 'mermaid', 'class': 'mermaid', 'format': fence_code_format}]
    return config


def on_files(files, config):
    def add(path, folder, original=None):
        file = File(path, folder, config['site_dir'], config['use_directory_urls'])
        if original:
            file.abs_src_path = os.path.join(ROOT, original)
        files.append(file)

    for page in PAGES:
        add(page, ROOT)
    for part in ('play', 'mermaid'):
        for folder, _, names in os.walk(os.path.join(PARTS, part)):
            for name in names:
                add(os.path.relpath(os.path.join(folder, name), os.path.join(PARTS, part)), os.path.join(PARTS, part))
    for page in [f for f in files if f.is_documentation_page()]:
        with open(page.abs_src_path, encoding='utf-8') as text:
            for _, target, _ in LINK.findall(outside_code(text.read())):
                path = in_repository(page, target)
                if path and is_source(path) and files.get_file_from_path(path + '.txt') is None:
                    add(path + '.txt', ROOT, path)
    config['nav'] = complete_nav(config['nav'], [f.src_uri for f in files if f.is_documentation_page()])
    return files


def complete_nav(nav, pages):
    """The nav with its patterns replaced by the pages that match them."""
    left = set(pages)

    def names(entries):
        for entry in entries:
            if isinstance(entry, dict):
                for inner in entry.values():
                    yield from names([inner] if isinstance(inner, str) else inner)
            else:
                yield entry

    named = {name for name in names(nav) if '*' not in name}

    def section(entries):
        found = []
        for entry in entries:
            if isinstance(entry, dict):
                (title, inner), = entry.items()
                inner = section([inner] if isinstance(inner, str) else inner)
                found += [{title: inner}] if inner else []
                continue
            matching = sorted(p for p in left if fnmatch.fnmatchcase(p, entry) and (p == entry or p not in named))
            matching.sort(key=lambda p: not p.endswith('/README.md'))
            left.difference_update(matching)
            found += matching
        return found

    nav = section(nav)
    if left:
        raise PluginError('the nav of mkdocs.yml does not name ' + ', '.join(sorted(left)))
    return nav


def outside_code(text, change=None):
    """The text without its blocks of code; or with them, and the rest changed."""
    parts = re.split(r'(^ *```.*?^ *```[ \t]*$)', text, flags=re.M | re.S)
    return ''.join((change(part) if change else part) if i % 2 == 0 else (part if change else '') for i, part in enumerate(parts))


def in_repository(page, target):
    """The file of the repository that a link of a page names; None for other links."""
    target = target.partition('#')[0]
    if not target or re.match(r'[a-z]+:', target):
        return None
    here = page.src_uri if page.src_uri in PAGES else 'docs/' + page.src_uri
    return posixpath.normpath(posixpath.join(posixpath.dirname(here), target))


def is_source(path):
    """Whether a file of the repository is shown as it is: under a name that every browser takes for text."""
    return not path.startswith('docs/') and not path.endswith('.md') and os.path.isfile(os.path.join(ROOT, path))


def title(path):
    """The heading of a page; the name of another file."""
    if path.endswith('.md'):
        with open(path, encoding='utf-8') as text:
            for line in text:
                if line.startswith('# '):
                    return line[2:].strip()
    return os.path.basename(path)


def on_page_markdown(markdown, page, config, files):
    def link(match):
        before, target, after = match.groups()
        path = in_repository(page.file, target)
        if path is None or page.file.src_uri == 'play.md':
            return match.group()
        site = path[len('docs/'):] if path.startswith('docs/') else path
        if os.path.isdir(os.path.join(ROOT, path)):
            inside = sorted(f.src_uri for f in files if f.is_documentation_page() and f.src_uri.startswith(site + '/'))
            if not inside:
                return before[1:-2]  # a folder of the repository; the site has none to show
            site = min(inside, key=lambda p: not p.endswith('/README.md'))
        elif is_source(path):
            site += '.txt'
        anchor = '#' + target.partition('#')[2] if '#' in target else ''
        if before == f'[{target}](':  # a page by its name in the repository
            before = f'[{title(os.path.join(ROOT, path))}]('
        return before + posixpath.relpath(site, posixpath.dirname(page.file.src_uri) or '.') + anchor + after

    def prose(text):
        text = re.sub(r'<!--.*?-->\n?', '', text, flags=re.S)  # SQL that readers need not see, and marks of our tools
        # In a repository neither a list nor a block of code, nor what follows it, needs a blank line before it.
        text = re.sub(r'^\n(?=[^\n])', '\n\n', text)
        text = re.sub(r'(?<=[^\n])\n$', '\n\n', text)
        text = re.sub(r'^(?! *([-*+]|\d+\.) |\s*$|\||#)(.*\n)(?=([-*+]|\d+\.) )', r'\g<0>\n', text, flags=re.M)
        return LINK.sub(link, text)

    # Who runs a block, and how it is refused (tools/lib/docs.sh), stands above it.
    markdown = re.sub(r'^( *```\w+) +(\S.*?) *$', r'\1 title="\2"', markdown, flags=re.M)
    return outside_code(markdown, prose)


def on_post_page(output, page, config):
    # Only a page with such pictures loads what draws them.
    if 'class="mermaid"' in output:
        root = posixpath.relpath('.', posixpath.dirname(page.url) or '.')
        scripts = ''.join(f'<script src="{root}/{name}"></script>' for name in ('mermaid.min.js', 'diagrams.js'))
        output = output.replace('</head>', scripts + '</head>', 1)
    return output
