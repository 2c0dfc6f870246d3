"""A report in headless Chromium: without a network, by keyboard alone, on a phone, and in dark mode."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reports import TELLING, report

from verify.report import paper
from verify.report.site import write

webdriver = pytest.importorskip("selenium.webdriver")
axe_core_python = pytest.importorskip("axe_core_python.selenium")

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = [
    pytest.mark.thorough("a browser opens a report"),
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="there is no chromium with its chromedriver"),
]

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
WIDE, PHONE = (1400, 900), (390, 844)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(report(*TELLING, everything=True), tmp_path_factory.mktemp("report")).parent


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(DRIVER, service_args=["--log-level=OFF"])
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


def open_page(browser: Any, page: Path, size: tuple[int, int] = WIDE, mode: str = "light") -> None:
    """Open a page in a window of this size in pixels, in light or dark mode."""
    preference = {"features": [{"name": "prefers-color-scheme", "value": mode}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", preference)
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(page.as_uri())


def kinds(folder: Path) -> list[Path]:
    """Return at least one page of each kind."""
    names = (
        "index.html",
        "necessity.html",
        "statement-3.2.html",
        "statement-3.3.html",
        "statement-C.9.html",
        "statement-section-3.1.html",
        "model-only-3-5.html",
        "model-loud-outsider.html",
    )
    return [folder / name for name in names]


def requested(browser: Any) -> set[str]:
    """Return the URLs that the browser has requested since the last call."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}


def test_no_page_complains_or_asks_for_anything_outside_the_folder(browser: Any, folder: Path) -> None:
    requested(browser)
    for page in sorted(folder.glob("*.html")):
        open_page(browser, page)
        assert not browser.get_log("browser"), page.name
        assert not {url for url in requested(browser) if not url.startswith((folder.as_uri(), "data:"))}, page.name
        broken = browser.execute_script(
            "return [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"
        )
        assert not broken


def test_the_graph_is_visible_and_its_boxes_are_reached_and_opened_by_the_keyboard(browser: Any, folder: Path) -> None:
    open_page(browser, folder / "index.html")
    nodes = browser.find_elements("css selector", "svg a.node")
    assert len(nodes) == len(paper.nodes())
    assert all(node.is_displayed() and node.rect["width"] > 40 and node.rect["height"] > 15 for node in nodes)
    reached = []
    for _ in range(len(nodes) + 60):
        browser.switch_to.active_element.send_keys("\ue004")  # Tab
        reached.append(browser.execute_script("return document.activeElement.getAttribute('aria-label')"))
    assert {node.get_attribute("aria-label") for node in nodes} <= set(reached)
    browser.execute_script("document.querySelector('a.node.theorem').focus()")
    expected = browser.execute_script("return document.activeElement.getAttribute('href')")
    browser.switch_to.active_element.send_keys("\ue007")  # Enter
    assert browser.current_url.endswith(expected)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_an_accessibility_checker_finds_nothing(browser: Any, folder: Path, size: tuple[int, int], mode: str) -> None:
    for page in kinds(folder):
        open_page(browser, page, size, mode)
        findings = axe_core_python.Axe().run(browser)
        wrong = [(violation["id"], violation["nodes"][0]["html"][:120]) for violation in findings["violations"]]
        assert not wrong, page.name
        assert any(rule["id"] == "color-contrast" for rule in findings["passes"]), page.name


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_page_is_wider_than_the_window(browser: Any, folder: Path, size: tuple[int, int]) -> None:
    for page in sorted(folder.glob("*.html")):
        open_page(browser, page, size)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0], page.name


def test_the_page_is_dark_where_the_reader_asks_for_it(browser: Any, folder: Path) -> None:
    colours = {}
    for mode in ("light", "dark"):
        open_page(browser, folder / "index.html", mode=mode)
        colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        colours[mode] = sum(map(int, colour.removeprefix("rgb(").rstrip(")").split(", ")))
    assert colours["light"] > 700
    assert colours["dark"] < 120
