"""Long work in processes of its own: told of, stopped, killed, replaced, and its errors raised here."""

import functools
import os
import signal
import struct
import subprocess
import sys
import threading
import time
import weakref
from functools import partial

import pytest
from helpers.encoders import sentence_encoder
from helpers.works import deaf, fails, process_id, runs, started, until_stopped, wait_until

from tted_core import TextTree, compare
from tted_core.errors import Interrupted, MapFormatError, OptionsError, ToolError, UnknownNameError
from tted_core.foundations.monitor import UNWATCHED
from tted_core.solvers import kernels
from tted_core.solvers.kernels import compiling
from ui.processes import encoding, inside, loading, workers
from ui.processes.workers import worker_count
from ui.running import job as jobs
from ui.running.job import Job, Visitor, max_seconds

grown = []  # in a worker process
TREE = TextTree(("a", "b", "c"), (-1, 0, 0))


@pytest.fixture(scope="module")
def processes():
    """A process for any work, and one for work that reads models of words."""
    pools = workers.Workers(1), workers.Workers(1, keeps_models=True)
    yield pools
    for worker in (*pools[0]._idle, *pools[1]._idle):
        worker.end()


@pytest.fixture
def pool(processes, monkeypatch):
    monkeypatch.setattr(workers, "_pools", lambda: processes)
    return processes[0]


def dies(_monitor):
    os.kill(os.getpid(), signal.SIGKILL)


def dies_while_it_sends(last_word, _monitor):
    """Killed with half of its result on the way, before or after it has said that its work is over."""
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        frame = frame.f_back
    if last_word:
        inside._server.say_it_is_over()
    os.write(frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 1_000) + b"half of it")
    os.kill(os.getpid(), signal.SIGKILL)


def not_sendable(_monitor):
    return threading.Lock()


def grows(_monitor):
    time.sleep(1.1)  # loky looks at a process's memory after a second
    grown.append(bytearray(b"x" * 400_000_000))
    return os.getpid()


def prints(_monitor):
    sys.stdout.write("a library that talks\n")
    return "done"


def imports_the_pages(_monitor):
    from ui.evaluate import generated_maps
    from ui.research import quality

    return len((quality.ABOUT, generated_maps.ABOUT))


def encoded(name, _monitor):
    encoder = loading.encoder(name)
    result = compare(TREE, TREE, encoder=encoder)
    return os.getpid(), encoder.fingerprint, encoder.count_tokens(["one two"]), result


def masked(name, _monitor):
    return os.getpid(), id(loading.masked_model(name))


def finished(work, *options, **more):
    found = Job(work, *options, **more)
    assert found.wait(120)
    return found


def test_work_is_done_by_one_process_that_is_kept(pool):
    first, second = (finished(process_id).result() for _ in range(2))
    assert first == second != os.getpid()


def test_a_process_is_kept_if_its_last_word_is_heard_late(monkeypatch):
    worker = workers.Worker()
    results = []
    submit, heard = worker._pool.submit, worker._heard
    monkeypatch.setattr(worker._pool, "submit", lambda *work: results.append(submit(*work)) or results[-1])

    def late():
        """Nothing at first, as on a busy machine; its last word and the result come right after that."""
        monkeypatch.setattr(worker, "_heard", heard)
        results[-1].result()
        return ("nothing",)

    monkeypatch.setattr(worker, "_heard", late)
    try:
        worker.run(process_id, UNWATCHED, lambda: False)
        assert worker.is_free
    finally:
        worker.end()


def test_work_that_reads_models_of_words_is_done_by_another_one_that_is_kept_with_them(
    pool, tiny_masked_folder
):
    work = partial(masked, str(tiny_masked_folder))
    (first, loaded), (second, still_loaded) = (finished(work, word_models=True).result() for _ in range(2))
    assert (first, loaded) == (second, still_loaded)
    assert first not in {os.getpid(), finished(process_id).result()}
    with pytest.raises(ToolError, match="ended unexpectedly"):
        finished(dies, word_models=True).result()
    assert finished(process_id, word_models=True).result() != first


def test_after_its_first_work_a_process_gets_ready_for_others(tmp_path):
    worker = workers.Worker(prepare=(tmp_path / "ready").mkdir)
    try:
        worker.run(process_id, UNWATCHED, lambda: False)
        wait_until((tmp_path / "ready").exists)
        (tmp_path / "ready").rmdir()
        worker.run(process_id, UNWATCHED, lambda: False)
        time.sleep(2 * inside.PREPARED_AFTER_SECONDS)
        assert not (tmp_path / "ready").exists()
    finally:
        worker.end()


def test_a_process_that_may_have_compiled_is_replaced_once_there_is_machine_code(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    compiling.cache_folder.cache_clear()
    pool = workers.Workers(1)
    try:

        def asked():
            with pool.one() as worker:
                return worker.run(process_id, UNWATCHED, lambda: False)

        first = asked()
        assert asked() == first
        with kernels.compiling_all():
            pass
        assert asked() == first
        second = asked()
        assert asked() == second != first
    finally:
        compiling.cache_folder.cache_clear()
        for worker in pool._idle:
            worker.end()


class Held:
    """Something large that work has at hand."""


held = []  # in a worker process


def stopped_at_work(_monitor):
    large = Held()
    held.append(weakref.ref(large))
    try:
        {}["cause"]
    except KeyError as error:
        raise Interrupted("stopped") from error


def still_held(_monitor):
    return [each() is not None for each in held]


def test_what_stopped_work_had_at_hand_is_let_go(pool):
    with pytest.raises(Interrupted, match="stopped"):
        finished(stopped_at_work).result()
    assert finished(still_held).result() == [False]


def test_one_is_started_early_and_no_other_beside_it():
    pool = workers.Workers(1)
    pool.start()
    (first,) = pool._idle
    try:
        pool.start()
        with pool.one() as worker:
            assert worker is first
            pool.start()
        assert pool._idle == [first]
    finally:
        first.end()


def test_of_two_that_ask_for_the_same_one_makes_it_and_no_other_waits():
    goes_on, made = threading.Event(), []

    @workers.one_at_a_time
    @functools.cache
    def make(name):
        if name == "large":
            assert goes_on.wait(60)
        made.append(name)
        return object()

    threads = [threading.Thread(target=make, args=("large",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    make("small")
    assert made == ["small"]
    goes_on.set()
    for thread in threads:
        thread.join(60)
    assert made == ["small", "large"]


def test_of_processes_that_keep_models_one_stays():
    pool = workers.Workers(2, keeps_models=True)
    with pool.one() as first, pool.one() as second:
        assert first.process_id.result() != second.process_id.result()
    assert pool._idle == [second]
    wait_until(lambda: not runs(first.process_id.result()))
    second.end()


AT_ONCE = """
import threading
from ui.processes import encoding, workers
def found(ask):
    start, answers = threading.Barrier(8), []
    def one():
        start.wait()
        answers.append(ask())
    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return len(set(map(id, answers)))
print(found(workers.pool), found(encoding.encoder_process))
"""


def test_visitors_who_come_at_once_get_the_same_processes():
    """Else those of one would stay idle, models and all, until the server ends."""
    told = subprocess.run(
        [sys.executable, "-c", AT_ONCE],
        env={**os.environ, "TTED_WORKERS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["1", "1"]


def test_it_is_done_here_where_there_are_no_processes(monkeypatch):
    monkeypatch.setattr(workers, "_pools", lambda: None)
    assert {finished(process_id, word_models=each).result() for each in (False, True)} == {os.getpid()}


@pytest.mark.parametrize(
    "error",
    [
        UnknownNameError("no such order"),
        MapFormatError("bad", line=3, column=4, path="a > b"),
        Interrupted("stopped"),
    ],
)
def test_an_error_comes_back_as_itself(pool, error):
    with pytest.raises(type(error)) as caught:
        finished(partial(fails, error)).result()
    assert str(caught.value) == str(error)
    assert vars(caught.value) == vars(error)


def test_a_fault_of_the_program_brings_the_traceback_of_its_process(pool):
    with pytest.raises(ZeroDivisionError) as caught:
        finished(partial(fails, ZeroDivisionError("by zero"))).result()
    assert "in fails" in str(caught.value.__cause__)


def test_a_result_that_cant_be_sent_is_a_fault_and_no_stand_still(pool):
    with pytest.raises((TypeError, AttributeError)):
        finished(not_sendable).result()
    assert finished(prints).result() == "done"


def test_a_process_that_dies_is_one_sentence_and_replaced(pool):
    before = finished(process_id).result()
    with pytest.raises(ToolError, match=r"ended unexpectedly \(SIGKILL\(-9\)\)"):
        finished(dies).result()
    after = finished(process_id).result()
    assert after != before
    os.kill(after, signal.SIGKILL)  # while it has nothing to do
    wait_until(lambda: not runs(after))
    assert finished(process_id).result() not in {before, after}


@pytest.mark.parametrize("last_word", [False, True])
def test_a_process_that_dies_while_it_sends_its_result_is_one_sentence_and_holds_nobody_up(pool, last_word):
    """Its pool has an open end of the pipe itself, and would wait for the rest."""
    with pytest.raises(ToolError, match="ended unexpectedly"):
        finished(partial(dies_while_it_sends, last_word)).result()
    assert finished(process_id).result()


@pytest.mark.thorough
def test_a_process_that_has_grown_goes_on(pool):
    """By itself loky would end it, and fail to start another."""
    assert finished(grows).result() == finished(process_id).result() == finished(grows).result()


def test_it_tells_how_far_it_is_and_keeps_the_best_so_far_when_stopped(pool, tmp_path):
    found = Job(partial(until_stopped, tmp_path / "begun"))
    process = started(tmp_path / "begun")
    wait_until(lambda: (found.stage, found.share) == ("Searching", 0.5))
    found.stop()
    assert found.wait(60)
    assert found.result() == "best so far"
    assert finished(process_id).result() == process


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["left", "dropped"])
def test_work_that_nobody_wants_any_more_is_gone_though_it_doesnt_listen(pool, tmp_path, monkeypatch, how):
    who = Visitor()
    found = Job(partial(deaf, tmp_path / "begun"), who)
    process = started(tmp_path / "begun")
    if how == "left":
        monkeypatch.setattr(jobs, "AWAY_SECONDS", -1.0)
        who.leave()
    else:
        found.drop()
    assert found.wait(60)
    with pytest.raises(Interrupted):
        found.result()
    assert not runs(process)
    assert finished(process_id).result() != process


@pytest.mark.thorough
def test_the_server_has_a_last_word_on_the_time(pool, tmp_path, monkeypatch):
    monkeypatch.setenv("TTED_MAX_SECONDS", "0.01")
    found = finished(partial(until_stopped, tmp_path / "begun"))
    assert (found.result(), found.was_cut, found.max_seconds) == ("best so far", True, 0.01)
    monkeypatch.setattr(jobs, "PATIENCE_SECONDS", 0.0)
    with pytest.raises(Interrupted):
        finished(partial(deaf, tmp_path / "begun")).result()


def test_who_waits_is_told_how_many_come_first_and_can_give_up(pool, tmp_path):
    first = Job(partial(until_stopped, tmp_path / "begun"), Visitor())
    started(tmp_path / "begun")
    others = [Job(process_id, Visitor())]
    wait_until(lambda: others[0].stage == "Waiting: you are next")
    others.append(Job(process_id, Visitor()))
    wait_until(lambda: others[1].stage == "Waiting: 1 before you")
    others[0].stop()
    with pytest.raises(Interrupted, match="before its turn came"):
        others[0].wait(60) and others[0].result()
    wait_until(lambda: others[1].stage == "Waiting: you are next")
    first.stop()
    assert others[1].wait(60)
    assert others[1].result()


@pytest.mark.thorough
def test_the_models_are_the_servers(pool, monkeypatch):
    threads = []

    def load(name):
        encoder = sentence_encoder(name=name)
        threads.append(threading.get_ident())
        return encoder

    monkeypatch.setattr(encoding, "load_encoder", load)
    process, fingerprint, tokens, result = finished(partial(encoded, "minilm")).result()
    here = loading.encoder("minilm")
    assert (process == os.getpid(), fingerprint, tokens) == (
        False,
        here.fingerprint,
        here.count_tokens(["one two"]),
    )
    assert result.problem.costs.tolist() == compare(TREE, TREE, encoder=here).problem.costs.tolist()
    assert threads


@pytest.mark.thorough
def test_an_error_of_a_model_reaches_the_work(pool):
    with pytest.raises(UnknownNameError, match="no-such-encoder"):
        finished(partial(encoded, "no-such-encoder")).result()


@pytest.mark.thorough
def test_a_process_warns_of_nothing_and_ends_with_its_server(capfd):
    worker = workers.Worker()
    assert worker.run(imports_the_pages, UNWATCHED, lambda: False) > 0
    assert capfd.readouterr().err == ""
    process = worker.process_id.result()
    worker._other_end.close()  # as when the server is killed
    worker._pipe.close()
    wait_until(lambda: not runs(process))
    worker.end()


@pytest.mark.parametrize("count", ["-1", "two", "1.5"])
def test_a_wrong_number_of_processes_is_refused(monkeypatch, count):
    monkeypatch.setenv("TTED_WORKERS", count)
    with pytest.raises(OptionsError, match="TTED_WORKERS"):
        worker_count()


@pytest.mark.parametrize("seconds", ["0", "-3", "nan", "soon"])
def test_a_wrong_limit_is_refused(monkeypatch, seconds):
    monkeypatch.setenv("TTED_MAX_SECONDS", seconds)
    with pytest.raises(OptionsError, match="TTED_MAX_SECONDS"):
        max_seconds()


def test_without_a_word_there_are_two_processes_at_least_and_no_limit(monkeypatch):
    monkeypatch.delenv("TTED_WORKERS")
    for cores, count in ((1, 2), (2, 2), (4, 3), (None, 2)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert worker_count() == count
    assert max_seconds() == float("inf")
