"""`config check`: files, folders and a choice that live environments are given by variables, where they are set."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from api.operations.check import Check

if TYPE_CHECKING:
    from envs.web_sites.site import Site

_PBF = b"\n\tOSMHeader"


def examine() -> Iterator[Check]:
    """A check for each variable that is set."""
    for variable, check in _CHECKS.items():
        if named := os.environ.get(variable):
            yield check(Path(named))
    if chosen := os.environ.get("HELDOUT_BROWSER_NETWORK"):
        yield _browser_network(chosen)


def _browser(file: Path) -> Check:
    name, remedy = (
        "browser",
        "HELDOUT_CHROMIUM is the path of Chromium's executable file; unset: the machine's is taken",
    )
    if not file.is_file():
        return Check(name, f"{file.absolute()} is {'no file' if file.exists() else 'not there'}", remedy)
    if not os.access(file, os.X_OK):
        return Check(name, f"{file.absolute()} is no file that this user may execute", remedy)
    return Check(name, f"{file.absolute()}")


def _browser_network(chosen: str) -> Check:
    from envs.browser.chromium import NETWORK, NETWORKS, OWN, SHARED
    from envs.browser.confine import obstacle

    name = "browser network"
    if chosen not in NETWORKS:
        said = f"'{chosen[:40]}' is not known and counts for nothing"
        return Check(name, said, f"{NETWORK} is {' or '.join(NETWORKS)}; unset: {OWN} where it works")
    if chosen == OWN and (found := obstacle()):
        return Check(name, f"{OWN}, so there is no browser here: {found}", f"make that work, or {NETWORK}={SHARED}")
    return Check(name, chosen)


def _images(folder: Path) -> Check:
    name = "images"
    if fault := _folder_fault(folder):
        return Check(name, fault, "HELDOUT_IMAGES is the folder into which `make images` built; unset: .heldout/images")
    names = sorted(root.parent.name for root in folder.glob("*/rootfs"))
    return Check(name, f"{folder.absolute()} holds {', '.join(names) or 'none yet: make images'}")


def _form_libraries(folder: Path) -> Check:
    """Pages are served without a library that is not there, and look and act otherwise."""
    from envs.web_forms.libraries import RULES

    name = "form libraries"
    remedy = "HELDOUT_FORM_LIBRARIES is the folder node_modules that `make form-libraries` makes in infra/forms"
    if fault := _folder_fault(folder):
        return Check(name, fault, remedy)
    files = {file.format(kind="js") for _, file in RULES}
    missing = sorted(file for file in files if not (folder / file).is_file())
    if missing:
        return Check(name, f"{folder.absolute()} lacks {len(missing)} of {len(files)} files: {missing[0]}, ...", remedy)
    return Check(name, f"{folder.absolute()}")


def _external_sites(file: Path) -> Check:
    from envs.base import SpecError
    from envs.web_sites.external.spec import read

    try:
        return Check("external sites", ", ".join(read(file)))
    except SpecError as error:
        return Check("external sites", str(error), "HELDOUT_SITES_FILE is a TOML file of [sites.NAME], docs/sites.md")


def described_sites() -> tuple[list["Site"], list[str]]:
    """The sites that the machine serves, and what is wrong with the rest of those in their folder."""
    from envs.base import SpecError
    from envs.web_sites.site import NAME, names, site

    found, faults = [], []
    for name in names():
        try:
            if not NAME.fullmatch(name):
                raise SpecError(f"'{name[:40]}' is no name of a site; write small letters, digits and underscores")
            found.append(site(name))
            assert found[-1].source
        except SpecError as error:
            faults.append(str(error))
        except (OSError, ValueError) as error:
            faults.append(f"{name}/site.toml: {error.strerror if isinstance(error, OSError) else error}")
    return found, faults


def _sites(folder: Path) -> Check:
    from envs.web_sites.install import PROGRAMS, common

    name, remedy = "sites", "HELDOUT_SITES is a folder of NAME/site.toml and of common, as envs/web_sites/sites is"
    if fault := _folder_fault(folder):
        return Check(name, fault, remedy)
    found, faults = described_sites()
    if faults:
        return Check(name, f"{folder.absolute()}: {'; '.join(faults)}", "docs/sites.md says what a site's folder holds")
    if not found:
        return Check(name, f"{folder.absolute()} holds no site", remedy)
    if missing := [program for program in PROGRAMS if not (common() / program).is_file()]:
        return Check(name, f"{folder.absolute()} lacks common/{missing[0]}, which every site needs", remedy)
    return Check(name, f"{folder.absolute()} holds {', '.join(site.name for site in found)}")


def _map_extract(file: Path) -> Check:
    name, remedy = "map extract", "HELDOUT_MAP_EXTRACT is a file of OpenStreetMap's in PBF, such as NAME.osm.pbf"
    try:
        with file.open("rb") as content:
            begins = content.read(4 + len(_PBF))
    except OSError as error:
        return Check(name, f"{file.absolute()} cannot be read: {error.strerror}", remedy)
    # The length of the first block's head comes before the head.
    if begins[4:] != _PBF:
        return Check(name, f"{file.absolute()} is no PBF", remedy)
    return Check(name, f"{file.absolute()}")


def _ontology(folder: Path) -> Check:
    from pydantic import ValidationError

    from envs.knowledge_graph.ontology import FILES, read_ontology
    from envs.knowledge_graph.store import ENDPOINT, ONTOLOGY

    name, remedy = "Freebase's ontology", f"{ONTOLOGY} is a folder with {', '.join(FILES)}, docs/knowledge-graph.md"
    if not os.environ.get(ENDPOINT):
        return Check(name, f"{ENDPOINT} is not set, without which nothing is asked", "set both, or neither")
    try:
        known = read_ontology(folder)
    except OSError as error:
        return Check(name, f"{error.filename or folder.absolute()} cannot be read: {error.strerror}", remedy)
    except ValidationError as error:
        first = error.errors()[0]
        said = f"vocab.json, '{'.'.join(map(str, first['loc']))}': {first['msg']}"
        return Check(name, f"{folder.absolute()}: {said}", remedy)
    except ValueError as error:
        return Check(name, f"{folder.absolute()}: {error}", remedy)
    return Check(name, f"{folder.absolute()} has {len(known.relations)} relations")


def _cache(folder: Path) -> Check:
    return _written("cache", folder, "HELDOUT_CACHE is a folder that this user may write; unset: ~/.cache/heldout")


def _recordings(folder: Path) -> Check:
    remedy = "HELDOUT_RECORDINGS is a folder that this user may write; unset: one in the cache"
    return _written("recordings", folder, remedy, "??")


def _catalogues(folder: Path) -> Check:
    """An index is locked by a file in it, even to be read."""
    remedy = "HELDOUT_CATALOGUES is a folder that this user may write, with all in it; unset: one in the cache"
    return _written("catalogues", folder, remedy, "[!.]*")


def _written(name: str, folder: Path, remedy: str, inside: str = "") -> Check:
    """A folder that is written, and so are those `inside`. It is made when it is first needed, but where the one above
    is not there, either, it is a slip or a disk that is not mounted."""
    if not folder.exists():
        above = folder.absolute().parent
        fault = _folder_fault(above, os.W_OK)
        detail = f"{folder.absolute()} is not there"
        return Check(name, f"{detail} and {fault}", remedy) if fault else Check(name, f"{detail} yet")
    for each in (folder, *(sorted(folder.glob(inside)) if inside else ())):
        if (each is folder or each.is_dir()) and (fault := _folder_fault(each, os.W_OK)):
            return Check(name, fault, remedy)
    return Check(name, f"{folder.absolute()}")


def _folder_fault(folder: Path, more: int = 0) -> str:
    if not folder.is_dir():
        return f"{folder.absolute()} is {'no folder' if folder.exists() else 'not there'}"
    if os.access(folder, os.R_OK | os.X_OK | more):
        return ""
    return f"{folder.absolute()} is no folder that this user may {'write' if more else 'read'}"


_CHECKS: dict[str, Callable[[Path], Check]] = {
    "HELDOUT_CHROMIUM": _browser,
    "HELDOUT_IMAGES": _images,
    "HELDOUT_FORM_LIBRARIES": _form_libraries,
    "HELDOUT_SITES": _sites,
    "HELDOUT_SITES_FILE": _external_sites,
    "HELDOUT_MAP_EXTRACT": _map_extract,
    "HELDOUT_FREEBASE_ONTOLOGY": _ontology,
    "HELDOUT_CACHE": _cache,
    "HELDOUT_RECORDINGS": _recordings,
    "HELDOUT_CATALOGUES": _catalogues,
}
