"""Sessions: what is kept between runs."""

import glushkov
import numpy as np
import pytest


def test_a_session_keeps_what_a_run_leaves(chain):
    x = np.zeros(3)
    with chain.session(m=[1, 2, 3], shift=[10.0, 20.0], x=x, dt=1.0) as s:
        first = s.run()
        np.testing.assert_array_equal(s["x"], [1, 2, 3])
        assert first.reports[-1] == ("the total", (1.0, 6.0)) and first.series["x"].shape == (2, 3)
        s.run(STEPS=1)
        np.testing.assert_array_equal(s["x"], [1.5, 3, 4.5])
        assert s["STEPS"] == 1 and s["N"] == 3 and s["step"] == 0.5 and s["total"] == 9
        np.testing.assert_array_equal(s["at"][2], [12, 23])
        np.testing.assert_array_equal(x, 0)
        s["x"] = np.ones(3)
        s.run()
        np.testing.assert_array_equal(s["x"], [1.5, 2, 2.5])
    with pytest.raises(glushkov.ArgumentError, match="has ended"):
        s.run()


def test_steps_are_runs(chain):
    with chain.session(m=[1, 2, 3], shift=[1.0, 2.0], x=np.zeros(3)) as one:
        with chain.session(m=[1, 2, 3], shift=[1.0, 2.0], x=np.zeros(3)) as other:
            seconds = sum(one.run(dt=0.5).seconds for _ in range(3))
            last = other.step(3, dt=0.5)
            np.testing.assert_array_equal(one["x"], other["x"])
            assert seconds > 0 and last.seconds > 0 and last.reports
            with pytest.raises(ValueError, match="one step or more"):
                other.step(0)


def test_sizes_of_a_session_change(chain):
    s = chain.session(m=[1, 2, 3], shift=[0, 0], x=np.zeros(3))
    s.run()
    s.set(N=2)
    with pytest.raises(glushkov.ArgumentError, match="`m` was set for other sizes"):
        s.run()
    # What was kept for the old sizes is still read as what it is.
    assert s["x"].shape == (3,)
    with pytest.raises(glushkov.ArgumentError, match="N = 2"):
        s.set(x=np.zeros(3))
    s.set(m=[1, 2], x=np.zeros(2))
    s.run()
    assert s["x"].shape == (2,) and s["at"].shape == (2, 2)
    s.close()


def test_what_a_session_lacks(chain):
    s = chain.session()
    with pytest.raises(glushkov.ArgumentError, match="the INPUT `m` is missing"):
        s.run()
    with pytest.raises(glushkov.ArgumentError, match="`total` has no value yet"):
        s["total"]
    with pytest.raises(glushkov.ArgumentError, match="no argument `nothing`"):
        s["nothing"]
    assert s["dt"] == 0.5


def test_an_error_leaves_a_session_usable(chain):
    s = chain.session(m=[10**6, 0, 0], shift=[0, 0], x=np.zeros(3))
    with pytest.raises(glushkov.RunError, match="FILTER"):
        s.run()
    with pytest.raises(glushkov.ArgumentError, match="no value yet"):
        s["total"]
    s.set(m=[1, 0, 0], x=np.zeros(3))
    s.run()
    assert s["total"] == 0.5
