"""Long work in processes of its own: told of, stopped, killed, and its errors raised here."""

import os
import signal
import struct
import sys
import threading
import time
import weakref
from functools import partial

import pytest
from helpers.encoders import sentence_encoder
from helpers.works import deaf, fails, process_id, runs, started, until_stopped, wait_until

from tted_core import TextTree, compare
from tted_core.errors import Interrupted, MapFormatError, ToolError, UnknownNameError
from ui.processes import encoding, inside, loading, workers
from ui.running import job as jobs
from ui.running.job import Job, Visitor

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


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
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
