"""Objects of Python's own library that are nothing but their attributes, and those that have more than these."""

from __future__ import annotations

from tests.state.halves.half import Half, check, halves

ZIP = "import io, zipfile\nz = zipfile.ZipFile(io.BytesIO(), 'w')\nz.writestr('a', 'b')\n"
PROCESS = "import subprocess\ndone = subprocess.CompletedProcess(['a'], 0, 'x', 'y')\n"
TOOL = "def note(o): o.more = 1"
XML = "import io, xml.etree.ElementTree as ET\nit = ET.iterparse(io.StringIO('<a><b/><c/></a>'))"


@halves(
    Half("a member of an archive", ZIP + "i = z.getinfo('a')", "i.comment = b'x'", "i.comment"),
    Half("a member that is asked for", ZIP, "z.getinfo('a').comment = b'x'", "z.getinfo('a').comment"),
    Half("members one by one", ZIP, "for i in z.infolist(): i.extra += b'1234'", "z.infolist()[0].extra"),
    Half("a process that has ended", PROCESS + TOOL, "note(done)", "sorted(vars(done))"),
    Half("its attributes", PROCESS, "vars(done)['more'] = 1", "sorted(vars(done))"),
    Half(
        "a record of a logger",
        f"import logging\nrecord = logging.makeLogRecord({{'msg': 'a'}})\n{TOOL}",
        "note(record)",
        "hasattr(record, 'more')",
    ),
    Half("ciphers", "import ssl\nc = ssl.create_default_context()", "c.set_ciphers('AES128-SHA')", named="SSLContext"),
    Half("flags", "import ssl\nc = ssl.create_default_context()", "c.verify_flags |= 4", named="SSLContext"),
    Half("XML that is read bit by bit", XML, "next(it)", named="it"),
)
def test_a_change_is_put_back_or_named(half: Half) -> None:
    check(half)
