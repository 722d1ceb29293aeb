"""A history on a PostgreSQL server, which is stopped and started while kernels go on."""

from __future__ import annotations

import dataclasses
import threading
import time

import pytest

from reflex_ipython.errors import BadInput, StoreError
from reflex_ipython.models import RepairFilter
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember import schema, server_migrations
from reflex_ipython.remember.opening import open_store
from reflex_ipython.remember.postgresql import PostgreSqlStore
from reflex_ipython.settings import Settings

COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_name = 'repairs' AND is_generated = 'NEVER'"
pytest.importorskip("psycopg", reason="psycopg is not installed here")


def ids(repairs):
    return [repair.id for repair in repairs]


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def shared(server):
    """Opens the history as a kernel does that has the server's address."""
    opened, said = [], []

    def open_it():
        context = StoreContext(lambda: Settings(history_url=server.url))
        opened.append(open_store(context, list, said.append))
        return opened[-1]

    open_it.said = said
    yield open_it
    for store in opened:
        store.close()


def rows(server):
    """The ids that the server has; none before the tables are made."""
    [(there,)] = server.execute("SELECT to_regclass('repairs') IS NOT NULL")
    return sorted(id for (id,) in server.execute("SELECT id FROM repairs")) if there else []


def test_what_is_saved_waits_in_a_file_and_follows_each_row_once(server, shared, make_repair):
    store = shared()
    server.stop()
    for number in range(5):
        store.save(make_repair(f"id{number}", f"2026-11-21T10:00:0{number}.000+00:00"))
    assert ids(store.recent(9)) == ["id4", "id3", "id2", "id1", "id0"]  # of the file
    [said] = shared.said
    assert "wait in a file on this machine" in said
    server.start()
    until(lambda: len(rows(server)) == 5)
    assert rows(server) == ["id0", "id1", "id2", "id3", "id4"]
    assert server.execute("SELECT sum(repairs) FROM tallies WHERE dimension = 'all'") == [(5,)]
    assert ids(store.recent(9)) == ["id4", "id3", "id2", "id1", "id0"]


def refusing(server, condition):
    """The server takes no rows of which that is true, as one does whose disk is full."""
    server.execute(
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger AS "
        "$$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$ LANGUAGE plpgsql"
    )
    server.execute(
        f"CREATE TRIGGER full_disk BEFORE INSERT ON repairs FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION refuse()"
    )


def test_what_a_full_server_does_not_take_waits_and_follows_when_there_is_room(server, shared, make_repair):
    store = shared()
    store.save(make_repair("first"))
    until(lambda: rows(server) == ["first"])
    refusing(server, "true")
    for name in ("aa", "bb", "cc"):
        store.save(make_repair(name))
    until(lambda: shared.said)
    assert "No space left on device" in shared.said[0]
    assert sorted(ids(store.recent(9))) == ["aa", "bb", "cc", "first"]
    server.execute("DROP TRIGGER full_disk ON repairs")
    until(lambda: rows(server) == ["aa", "bb", "cc", "first"])


def test_a_row_that_the_server_refuses_holds_up_no_other_one_and_is_kept(server, shared, make_repair):
    store = shared()
    store.save(make_repair("first"))
    until(lambda: rows(server) == ["first"])
    refusing(server, "NEW.id IN ('aa', 'bb', 'dd')")
    for name in ("aa", "bb", "cc", "dd", "ee"):
        store.save(make_repair(name))
    until(lambda: rows(server) == ["cc", "ee", "first"])
    until(lambda: shared.said)
    assert sorted(ids(store.recent(9))) == ["aa", "bb", "cc", "dd", "ee", "first"]


def test_what_waited_when_the_kernel_ended_follows_in_the_next_session(server, shared, make_repair):
    server.stop()
    store = shared()
    store.save(make_repair("old"))
    store.close()
    server.start()
    shared().save(make_repair("new"))
    until(lambda: rows(server) == ["new", "old"])


def test_where_the_server_is_gone_what_waits_is_counted(server, shared, make_repair):
    store = shared()
    server.stop()
    store.save(make_repair("a", decided=None))
    store.save(make_repair("b", decided="accepted"))
    assert {(each.outcome, each.repairs) for each in store.tallies() if each.dimension == "all"} == {
        ("open", 1),
        ("accepted", 1),
    }


def test_the_rows_of_an_older_database_are_read_searched_and_written_to(server, make_repair):
    for statement in server_migrations._STEPS[0]:
        server.execute(statement)
    server.execute("CREATE TABLE reflex_schema (version INTEGER NOT NULL)")
    server.execute("INSERT INTO reflex_schema VALUES (1)")
    old = make_repair("old", decided="accepted")
    row = {**schema.as_row(old), "words": "sales report", "body": schema.as_body(old)}
    row = {name: row[name] for (name,) in server.execute(COLUMNS) if name in row}
    values = ["NULL" if value is None else "'" + str(value).replace("'", "''") + "'" for value in row.values()]
    server.execute(f"INSERT INTO repairs ({', '.join(row)}) VALUES ({', '.join(values)})")
    store = PostgreSqlStore(server.url, pytest.fail)
    assert store.get("old") == old
    assert ids(store.find(RepairFilter(text="report"), 9)) == ["old"]
    store.save(make_repair("new"))
    assert sorted(ids(store.recent(9))) == ["new", "old"]
    assert server.execute("SELECT version FROM reflex_schema") == [(len(server_migrations._STEPS),)]
    store.close()


def test_saving_waits_for_no_server(shared, make_repair, monkeypatch):
    import psycopg

    saved, waited = threading.Event(), []

    def silent(*_, **__):
        waited.append(saved.wait(60))
        raise psycopg.OperationalError("nobody answers")

    monkeypatch.setattr(psycopg, "connect", silent)
    shared().save(make_repair())
    saved.set()
    until(lambda: waited)
    assert all(waited), "the connection was waited for"


def test_several_users_write_at_once_and_no_row_is_lost_or_counted_twice(server, shared, make_repair):
    stores = [shared() for _ in range(3)]

    def write(store, name):
        for number in range(10):
            for revised, decided in enumerate((None, "accepted")):
                repair = make_repair(f"{name}{number:02}", decided=decided)
                store.save(dataclasses.replace(repair, revised=f"2026-11-21T10:00:0{revised}"))

    threads = [threading.Thread(target=write, args=pair) for pair in zip(stores, "abc")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(lambda: len(rows(server)) == 30)
    until(lambda: server.execute("SELECT count(*) FROM repairs WHERE outcome = 'accepted'") == [(30,)])
    assert server.execute("SELECT outcome, repairs FROM tallies WHERE dimension = 'all' AND repairs > 0") == [
        ("accepted", 30)
    ]


def test_an_older_state_that_comes_later_replaces_no_newer_one(server, make_repair):
    store = PostgreSqlStore(server.url, pytest.fail)
    newer = dataclasses.replace(make_repair(), revised="2026-11-21T11")
    store.save(newer)
    store.save(dataclasses.replace(make_repair(decided=None), revised="2026-11-21T10"))
    assert store.get("1a2b3c4d") == newer
    store.close()


def test_several_kernels_that_begin_at_once_make_the_tables_once(server, make_repair):
    stores = [PostgreSqlStore(server.url, pytest.fail) for _ in range(4)]
    threads = [threading.Thread(target=store.save, args=(make_repair(f"id{n}"),)) for n, store in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows(server) == ["id0", "id1", "id2", "id3"]
    for store in stores:
        store.close()


def test_a_damaged_row_hides_no_other_one(server, make_repair):
    said = []
    store = PostgreSqlStore(server.url, said.append)
    for name in ("aa", "bb"):
        store.save(make_repair(name))
    server.execute("UPDATE bodies SET body = '[]' WHERE seq = (SELECT seq FROM repairs WHERE id = 'aa')")
    assert ids(store.recent(5)) == ["bb"]
    assert "aa is left out" in said[0]
    with pytest.raises(BadInput, match="damaged"):
        store.get("aa")
    store.close()


def test_no_error_shows_a_password():
    store = PostgreSqlStore("postgresql+psycopg://me:hunter2@127.0.0.1:1/team")
    with pytest.raises(StoreError) as caught:
        store.recent(1)
    assert "hunter2" not in str(caught.value)
    assert "127.0.0.1:1/team" in str(caught.value)
    assert "hunter2" not in repr(Settings(history_url="postgresql+psycopg://me:hunter2@h/team"))


def test_what_is_no_address_is_refused_in_words():
    with pytest.raises(BadInput, match="address of a PostgreSQL server"):
        PostgreSqlStore("mysql://h/team")


def test_what_is_forgotten_is_gone_from_the_server_and_the_file(server, shared, make_repair):
    store = shared()
    store.save(make_repair("aa"))
    until(lambda: rows(server) == ["aa"])
    assert store.remove(RepairFilter(id="aa")) == 1
    assert store.recent(5) == []
    assert server.execute("SELECT count(*) FROM tallies WHERE repairs > 0") == [(0,)]
