"""Every block of Python in the documents runs as it is written, and every link of the documents leads somewhere."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cutcard as cc

ROOT = Path(__file__).parents[2]
# pages, and how many blocks they have at least
WITH_BLOCKS = {"docs/python.md": 11, "docs/site/index.md": 1, "python/README.md": 1}


@pytest.mark.parametrize("page", WITH_BLOCKS)
def test_the_blocks_of_the_page_run(page: str, tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) >= WITH_BLOCKS[page]
    if importlib.util.find_spec("pyspiel") is None:
        blocks = [block for block in blocks if "import pyspiel" not in block]
    (tmp_path / "page.py").write_text("\n".join(blocks))
    environment = {**os.environ, "RAY_worker_niceness": "0"}
    done = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def dead_links(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        missing = not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target))
        dead += [link] if missing else []
    return dead


PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in PAGES if "docs/site" not in str(page)])
def test_every_link_leads_somewhere(page: str) -> None:
    assert dead_links(ROOT / page) == []


def test_the_site_builds_and_a_dead_link_fails_its_build(tmp_path: Path) -> None:
    environment = {**os.environ, "SITE": str(tmp_path)}
    build = [str(ROOT / "docs/site/build"), "--quick"]
    done = subprocess.run(build, env=environment, capture_output=True, text=True)
    if done.returncode == 2:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stdout + done.stderr
    landing = (tmp_path / "html/index.html").read_text()
    assert "screenshots/table.png" in landing and "chart.svg" in landing and "md-search" in landing
    # nothing is fetched from elsewhere
    assert not re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"?https?:", landing)
    assert "house_edge" in (tmp_path / "html/search/search_index.js").read_text()

    # of a site of one page, whose other settings are those of the real one
    (tmp_path / "one").mkdir()
    (tmp_path / "one/index.md").write_text("# Page\n\n[nowhere](nowhere.md)\n")
    inherited = f"INHERIT: {ROOT / 'docs/site/mkdocs.yml'}\nnav: [index.md]\nplugins: []\nextra_css: []\n"
    (tmp_path / "mkdocs.yml").write_text(inherited)
    environment |= {"SITE_PAGES": str(tmp_path / "one"), "SITE_HTML": str(tmp_path / "one-html")}
    mkdocs = [sys.executable, "-m", "mkdocs", "build", "--config-file", str(tmp_path / "mkdocs.yml")]
    done = subprocess.run(mkdocs, env=environment, capture_output=True, text=True)
    assert done.returncode != 0 and "nowhere.md" in done.stderr, done.stderr
    (tmp_path / "one/index.md").write_text("# Page\n\n[somewhere](#page)\n")
    done = subprocess.run(mkdocs, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A head: here\n[right](#a-head-here) [right](page.md) [dead](nowhere.md) [dead](page.md#there)\n")
    assert dead_links(page) == ["nowhere.md", "page.md#there"]


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {cc.__version__}\n" in (ROOT / "CITATION.cff").read_text()
