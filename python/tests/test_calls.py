"""Calls: what is taken, what is given back, and what is refused."""

import sys

import glushkov
import numpy as np
import pytest


SHIFT = """
SCHEME "Shift of all" ====
DATA
  N : INTEGER := 4
  x : REAL [N] INPUT OUTPUT
  last : REAL OUTPUT
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP x[i] := x[i] + 1 END OF LOOP;
  last := 1
END OF SCHEME "Shift of all"
"""


def bodies(n, seed=1):
    random = np.random.default_rng(seed)
    m = random.random(n).astype(np.float32)
    r = random.normal(size=(n, 3)).astype(np.float32)
    return m, r


def forces(m, r, eps):
    d = r[None, :, :].astype(float) - r[:, None, :]
    q = 1 / np.sqrt((d * d).sum(axis=2) + eps * eps)
    np.fill_diagonal(q, 0)
    return ((m[None, :] * q**3)[:, :, None] * d).sum(axis=1)


def springs(n=3, **more):
    given = dict(m=np.arange(1, n + 1), shift=[10.0, 20.0], x=np.zeros(n))
    given.update(more)
    return given


def test_sizes_follow_from_shapes(gravity):
    m, r = bodies(50)
    result = gravity(m=m, r=r, eps=0.01)
    assert result["acc"].shape == (50, 3) and result["acc"].dtype == np.float32
    np.testing.assert_allclose(result.acc, forces(m, r, 0.01), rtol=2e-3, atol=1e-4)
    assert [row.label for row in result.reports] == ["sum of all forces"]
    assert len(result.reports[0].values) == 3 and result.seconds >= 0
    assert list(result) == ["acc"] and len(result) == 1


def test_every_kind_of_argument(chain):
    x = np.zeros(3)
    result = chain(m=np.array([1, 2, 3]), shift=(10, 20), x=x, dt=1.0)
    # step := dt / 2 = 0.5, two steps, weights[0] = 1 as DATA has it
    np.testing.assert_array_equal(result.x, [1, 2, 3])
    np.testing.assert_array_equal(x, 0)
    assert result.total == 6 and isinstance(result.total, np.float64)
    assert result.at.dtype == np.float32
    np.testing.assert_array_equal(result.at, [[10, 21], [11, 22], [12, 23]])
    assert result.reports == [("the total", (0.0, 3.0)), ("the total", (1.0, 6.0))]
    np.testing.assert_array_equal(result.reports.labelled("the total"), [[0, 3], [1, 6]])
    assert result.series["x"].shape == (2, 3)
    np.testing.assert_array_equal(result.series["x"], [[0.5, 1, 1.5], [1, 2, 3]])


def test_given_values_go_before_those_of_data(chain):
    result = chain(**springs(weights=[2.0, 0.0], step=1.0, STEPS=1))
    np.testing.assert_array_equal(result.x, [2, 4, 6])


def test_an_empty_problem(chain):
    result = chain(m=np.zeros(0, dtype=np.int64), shift=[0.0, 0.0], x=np.zeros(0))
    assert result.x.shape == (0,) and result.at.shape == (0, 2) and result.total == 0


def test_in_place(chain):
    x = np.zeros(3)
    result = chain(**springs(x=x, dt=1.0), inplace=True)
    assert result.x is x
    np.testing.assert_array_equal(x, [1, 2, 3])
    fixed = np.zeros(3)
    fixed.flags.writeable = False
    with pytest.raises(glushkov.ArgumentError, match="read-only"):
        chain(**springs(x=fixed), inplace=True)
    with pytest.raises(glushkov.ArgumentError, match="would have to be copied"):
        chain(**springs(x=np.zeros(6)[::2]), inplace=True)
    both = np.zeros(4)
    with pytest.raises(glushkov.ArgumentError, match="shares cells"):
        chain(m=both[1:].view(np.int64), x=both[:3], shift=[0, 0], inplace=True)


def test_read_only_arrays_are_read(chain):
    m = np.array([1, 2, 3])
    m.flags.writeable = False
    assert chain(**springs(m=m)).total == 3


def test_sizes_that_are_computed(edges):
    edge = np.arange(7, dtype=np.float32)
    grid = np.ones((3, 2), dtype=np.float32)
    keep = np.array([True, False, True])
    result = edges(edge=edge, grid=grid, keep=keep)
    np.testing.assert_array_equal(result.mean, [[-1, -1], [0, 0], [-1, -1]])
    with pytest.raises(glushkov.ArgumentError) as refused:
        edges(edge=edge[:6], grid=grid, keep=keep)
    assert "no `N` makes" in str(refused.value) and "size of 6" in str(refused.value)
    with pytest.raises(glushkov.ArgumentError, match="`edge` and `keep` disagree on N"):
        edges(edge=edge, grid=grid, keep=keep[:2])
    with pytest.raises(glushkov.ArgumentError, match="no truth values"):
        edges(edge=edge, grid=grid, keep=np.array([1, 0, 2], dtype=np.uint8).view(bool))


def test_sizes_that_only_seem_to_grow_evenly():
    f = glushkov.compile(UNEVEN)
    # Up to 5000 the size is N.
    assert f(x=np.zeros(4000), z=np.zeros(4000)).y.shape == (4000,)
    assert f(x=np.zeros(6000), z=np.zeros(7000)).y.shape == (7000,)
    # A size that tells no N of itself is held against that of the others.
    with pytest.raises(glushkov.ArgumentError, match="`z` has a size of 7000 along axis 0"):
        f(z=np.zeros(7000), x=np.zeros(7000))
    with pytest.raises(glushkov.BuildError, match="is computed with reals"):
        glushkov.compile(UNEVEN.replace("N + max(N - 5000, 0)", "floor(0.5 * N)"))


UNEVEN = """
SCHEME "Uneven" ====
DATA
  N : INTEGER := 4
  x : REAL64 [N] INPUT
  z : REAL64 [N + max(N - 5000, 0)] INPUT
  y : REAL64 [N + max(N - 5000, 0)] OUTPUT
END OF DATA
  FOR (i FROM 0 TO N + max(N - 5000, 0) - 1) LOOP y[i] := z[i] END OF LOOP
END OF SCHEME "Uneven"
"""


def test_layouts_are_copied_where_they_must_be(edges):
    edge = np.arange(14, dtype=np.float32)[::2]
    grid = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(3, 2))
    swapped = grid.astype(">f4")
    keep = np.ones(3, dtype=bool)
    first = edges(edge=edge, grid=grid, keep=keep)
    np.testing.assert_array_equal(first.mean, grid - 4)
    np.testing.assert_array_equal(edges(edge=edge, grid=swapped, keep=keep).mean, grid - 4)
    packed = np.zeros(7 * 4 + 1, dtype=np.uint8)[1:].view(np.float32)
    packed[:] = edge
    np.testing.assert_array_equal(edges(edge=packed, grid=grid, keep=keep).mean, grid - 4)


def test_conversions_that_lose_are_asked_for(gravity, chain):
    m, r = bodies(5)
    with pytest.raises(glushkov.ArgumentError) as refused:
        gravity(m=m.astype(np.float64), r=r)
    assert "`m` holds float64, and float32 is needed" in str(refused.value)
    assert "cast=True" in str(refused.value) and refused.value.code == "E0904"
    exact = gravity(m=m, r=r).acc
    np.testing.assert_array_equal(gravity(m=m.astype(np.float64), r=r, cast=True).acc, exact)
    # Without loss: nothing is asked for.
    assert chain(**springs(m=np.array([1, 2, 3], dtype=np.int16))).total == 3
    assert chain(**springs(x=np.zeros(3, dtype=np.float32))).total == 3
    for wrong in (np.ones(3), np.ones(3, dtype=complex), np.array(["a"] * 3), [None] * 3):
        with pytest.raises(glushkov.ArgumentError, match="`m` holds"):
            chain(**springs(m=wrong), cast=True)
    with pytest.raises(glushkov.ArgumentError, match="holds numbers that int64 does not"):
        chain(**springs(m=np.array([1, 2, 2**63], dtype=np.uint64)), cast=True)


def test_what_disagrees_is_named(gravity):
    m, r = bodies(5)
    with pytest.raises(glushkov.ArgumentError, match="`m` and `r` disagree on N: `m` has N = 4"):
        gravity(m=m[:4], r=r)
    with pytest.raises(glushkov.ArgumentError, match="`m` has a size of 5 along axis 0, and N = 6"):
        gravity(m=m, r=r, N=6)
    with pytest.raises(glushkov.ArgumentError, match=r"`r` has the shape \(5, 2\), and \(N, 3\)"):
        gravity(m=m, r=r[:, :2])
    with pytest.raises(glushkov.ArgumentError, match=r"`m` has the shape \(\)"):
        gravity(m=1.0, r=r)


def test_names_and_values_that_are_wrong(gravity, chain):
    m, r = bodies(5)
    with pytest.raises(glushkov.ArgumentError, match="no argument `epsilon`"):
        gravity(m=m, r=r, epsilon=1)
    with pytest.raises(glushkov.ArgumentError, match="did you mean `eps`"):
        gravity(m=m, r=r, epss=1)
    with pytest.raises(glushkov.ArgumentError, match="`acc` is an OUTPUT"):
        gravity(m=m, r=r, acc=r)
    with pytest.raises(glushkov.ArgumentError, match="the INPUT `r` is missing"):
        gravity(m=m)
    with pytest.raises(TypeError):
        gravity(m, r)
    for wrong in (1.5, "4", True, 2**31, None, [1]):
        with pytest.raises(glushkov.ArgumentError, match="`N` is a parameter of type INTEGER"):
            gravity(m=m, r=r, N=wrong)
    for wrong in ("0.1", True, float("nan"), 1e300, None):
        with pytest.raises(glushkov.ArgumentError, match="`eps` is a parameter"):
            gravity(m=m, r=r, eps=wrong)
    with pytest.raises(glushkov.ArgumentError, match="`late` is a parameter of type BOOLEAN"):
        chain(**springs(late=1))
    assert gravity(m=m, r=r, eps=np.float32(0.1), N=np.int64(5)).acc.shape == (5, 3)


def test_an_algorithm_without_a_result(chain):
    with pytest.raises(glushkov.RunError, match="FILTER") as ended:
        chain(**springs(m=np.array([10**6, 0, 0])))
    assert ended.value.diagnostics[0].code == "E0409"
    with pytest.raises(glushkov.RunError, match="subscript"):
        chain(**springs(m=np.array([7, 0, 0]), late=True))
    # The program can be used after that.
    assert chain(**springs()).total == 3


def test_default_inputs(gravity):
    given = gravity.inputs(N=20, eps=0.5)
    assert set(given) == {"N", "ROUNDS", "eps", "m", "r"}
    assert given["N"] == 20 and given["r"].shape == (20, 3) and given["eps"] == 0.5
    assert gravity(**given).acc.shape == (20, 3)
    heavy = np.full(7, 2, dtype=np.float32)
    given = gravity.inputs(m=heavy)
    assert given["N"] == 7 and given["r"].shape == (7, 3) and (given["m"] == 2).all()
    with pytest.raises(glushkov.SchemeError, match="E0905"):
        gravity.inputs("no such generator")


def test_objects_of_the_array_interface(gravity):
    m, r = bodies(4)

    class Seen:
        def __init__(self, array):
            self.array = array

        @property
        def __array_interface__(self):
            return self.array.__array_interface__

    wanted = gravity(m=m, r=r).acc
    given = gravity(m=memoryview(m), r=Seen(r)).acc
    np.testing.assert_array_equal(given, wanted)
    lists = gravity(m=m.tolist(), r=r.tolist()).acc
    np.testing.assert_array_equal(lists, wanted)


def test_pytorch(gravity):
    torch = pytest.importorskip("torch")
    m, r = bodies(4)
    wanted = gravity(m=m, r=r).acc
    tensor = torch.from_numpy(r)
    given = gravity(m=torch.from_numpy(m), r=tensor)
    assert isinstance(given.acc, torch.Tensor) and given.copied == (0, 0)
    np.testing.assert_array_equal(given.acc, wanted)
    # Results are like the first array.
    assert isinstance(gravity(m=m, r=tensor).acc, np.ndarray)
    with pytest.raises(glushkov.ArgumentError, match="detach"):
        gravity(m=m, r=tensor.clone().requires_grad_())
    with pytest.raises(glushkov.ArgumentError, match="`r` is on a device"):
        gravity(m=m, r=OnDevice())


class OnDevice:
    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        raise AssertionError("it is not asked for")


def test_what_is_on_a_device_is_refused(gravity):
    m, _ = bodies(4)
    with pytest.raises(glushkov.ArgumentError, match="`r` is on a device"):
        gravity(m=m, r=OnDevice())


def test_jax(gravity):
    jax = pytest.importorskip("jax")
    m, r = bodies(4)
    wanted = gravity(m=m, r=r).acc
    given = gravity(m=jax.numpy.asarray(m), r=jax.numpy.asarray(r)).acc
    assert isinstance(given, jax.Array)
    np.testing.assert_array_equal(given, wanted)
    assert isinstance(gravity(m=m, r=jax.numpy.asarray(r)).acc, np.ndarray)


def test_arrays_of_jax_that_change():
    """A copy comes back as what came in."""
    jax = pytest.importorskip("jax")
    f = glushkov.compile(SHIFT)
    x = jax.numpy.arange(4, dtype=np.float32)
    result = f(x=x)
    assert isinstance(result.x, jax.Array) and isinstance(result.last, np.float32)
    np.testing.assert_array_equal(result.x, [1, 2, 3, 4])
    np.testing.assert_array_equal(x, [0, 1, 2, 3])
    with pytest.raises(glushkov.ArgumentError, match="`x` cannot be changed in place: it is read-only"):
        f(x=x, inplace=True)
    with f.session(x=x) as s:
        s.run()
        assert isinstance(s["x"], jax.Array) and s["N"] == 4
        np.testing.assert_array_equal(s["x"], [1, 2, 3, 4])


def test_tensors_that_change():
    """In place, the tensor itself comes back."""
    torch = pytest.importorskip("torch")
    f = glushkov.compile(SHIFT)
    tensor = torch.arange(4, dtype=torch.float32)
    assert isinstance(f(x=tensor).x, torch.Tensor) and tensor[0] == 0
    assert f(x=tensor, inplace=True).x is tensor and tensor[0] == 1


def test_pandas(gravity):
    pandas = pytest.importorskip("pandas")
    m, r = bodies(4)
    result = gravity(m=pandas.Series(m), r=r)
    frame = result.to_pandas()
    assert list(frame.columns) == ["acc.x", "acc.y", "acc.z"] and len(frame) == 4
    np.testing.assert_array_equal(frame["acc.y"], result.acc[:, 1])
    assert list(result.reports.to_pandas()["label"]) == ["sum of all forces"]


def test_tables_without_pandas(gravity, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    m, r = bodies(4)
    with pytest.raises(glushkov.Error, match="pip install pandas"):
        gravity(m=m, r=r).to_pandas()


def test_arrays_of_one_axis_make_a_table(chain):
    pytest.importorskip("pandas")
    frame = chain(**springs()).to_pandas()
    assert list(frame.columns) == ["x", "at.x", "at.y"]


def test_results_say_what_they_hold(chain):
    result = chain(**springs())
    assert "x: float64(3,)" in repr(result) and "series x" in repr(result)
    assert "total" in dir(result) and "total" in result
    with pytest.raises(KeyError, match="there is x, at, total"):
        result["nothing"]
    with pytest.raises(AttributeError, match="there is no OUTPUT nothing"):
        result.nothing
    assert not hasattr(result, "__array__")
