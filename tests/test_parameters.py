import ast
import json
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook import parameters, paths
from storagebook.errors import StoragebookError

PARAMS = paths.root() / "params"
DEFAULTS = {n: m().model_dump() for n, m in parameters.NOTEBOOKS.items() if m.model_fields}


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "my.yml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_defaults_are_valid_and_in_the_file():
    assert parameters.load_file(PARAMS / "default.yml") == DEFAULTS


def test_the_example_changes_whatever_it_sets():
    example = parameters.load_file(PARAMS / "example.yml")
    assert example
    for notebook, values in example.items():
        assert values
        for name, value in values.items():
            assert DEFAULTS[notebook][name] != value


def test_every_parameter_says_what_it_means():
    table = parameters.describe()
    assert len(table) == sum(len(m.model_fields) for m in parameters.NOTEBOOKS.values())
    assert (table["meaning"] != "").all()
    row = table.set_index(["notebook", "parameter"]).loc[("02-units-and-bases", "value")]
    assert row.to_dict() == {
        "type": "float",
        "unit": "",
        "allowed": "above 0",
        "default": "20693.63",
        "meaning": "a figure to see in every unit of its kind",
    }


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"submision": "0688"}, r"unknown parameter 'submision' \(did you mean 'submission'\?\)"),
        ({"submission": 688}, r"submission: .* not 688 \(int\): quote it"),
        ({"submission": "12"}, "submission: .* not '12'"),
        ({"submission": None}, "submission: .* not None"),
        ({"submission": "0688\n"}, "submission: "),
        ({"submission": ["0688"]}, "submission: "),
        ({"a": 1, "b": 2}, "unknown parameter 'a'; unknown parameter 'b'"),
    ],
)
def test_a_wrong_parameter_is_named_beside_the_valid_ones(values, said):
    with pytest.raises(StoragebookError, match=said) as caught:
        parameters.check("10-aurora-twelve-phases", values)
    assert "valid: submission (str, four digits; default '0688')" in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("value", ["1e-3", "5", -1, 0, float("nan"), float("inf"), True, None])
def test_a_value_is_a_number_above_zero(value):
    with pytest.raises(StoragebookError, match="value: "):
        parameters.check("02-units-and-bases", {"value": value})


def test_a_whole_number_is_a_float_and_a_unit_has_one_spelling():
    found = parameters.check("02-units-and-bases", {"value": 5, "unit": "MIOPS"})
    assert found.model_dump() == {"value": 5.0, "unit": "MIOP/s"}
    assert isinstance(found.value, float)
    with pytest.raises(StoragebookError, match=r"unit: .*ambiguous"):
        parameters.check("02-units-and-bases", {"unit": "KB"})


def test_an_unknown_notebook_lists_the_known_ones():
    with pytest.raises(StoragebookError, match="did you mean 'index'") as caught:
        parameters.check("indx", {})
    assert ", ".join(parameters.NOTEBOOKS) in str(caught.value)


class TestRead:
    def namespace(self, **more):
        """What a kernel holds when a notebook starts."""
        return {
            "__name__": "__main__",
            "_": "",
            "_ih": [""],
            "_oh": {},
            "In": [""],
            "Out": {},
            "exit": "an autocall object",
            "quit": "an autocall object",
            "get_ipython": lambda: None,
            "open": open,
            "json": json,
            "parameters": parameters,
            "StoragebookError": StoragebookError,
            "registry": types.SimpleNamespace(),
            **more,
        }

    def test_the_kernels_names_are_no_parameters(self):
        assert parameters.read("index", self.namespace()) == parameters.NoParameters()

    def test_the_notebooks_are(self):
        found = parameters.read("03-how-io500-scores", self.namespace(submission="0772"))
        assert found.submission == "0772"

    @pytest.mark.parametrize("value", [1, 1.5, "x", None, [1], {"a": 1}, (1,), True])
    def test_any_other_literal_is_unknown(self, value):
        with pytest.raises(StoragebookError, match="unknown parameter 'submision'"):
            parameters.read("03-how-io500-scores", self.namespace(submision=value))

    def test_a_parameter_that_is_no_literal_is_mistyped(self):
        with pytest.raises(StoragebookError, match="submission: "):
            parameters.read("03-how-io500-scores", self.namespace(submission=object()))

    def test_running_the_cell_again_after_the_rest_of_the_notebook(self):
        namespace = self.namespace(submission="0688")
        namespace["p"] = parameters.read("03-how-io500-scores", namespace)
        namespace["ratio"] = 4.91
        namespace["submission"] = "0772"
        assert parameters.read("03-how-io500-scores", namespace).submission == "0772"
        namespace["submission"] = 772
        with pytest.raises(StoragebookError, match="submission: "):
            parameters.read("03-how-io500-scores", namespace)


class TestFile:
    def test_only_what_it_sets(self, file):
        path = file("02-units-and-bases:\n  value: 7\nindex:\n")
        assert parameters.load_file(path) == {"02-units-and-bases": {"value": 7.0}, "index": {}}

    @pytest.mark.parametrize("text", ["", "# nothing\n", "---\n"])
    def test_an_empty_file_changes_nothing(self, file, text):
        assert parameters.load_file(file(text)) == {}

    @pytest.mark.parametrize(
        ("scalar", "said"),
        [
            ("007", "'007' as another whole number"),
            ("0688", "'0688' as text|'0688' as another"),
            ("0o17", "0o17"),
            ("0x10", "'0x10' as another"),
            ("1_000", "'1_000' as another"),
            ("1:30", "'1:30' as another"),
            ("1e-3", "'1e-3' as text; write 1.0e-3"),
            ("1e3", "'1e3' as text"),
            ("1_0.5", "'1_0.5' as a float"),
            ("no", "'no' as a truth value"),
            ("on", "'on' as a truth value"),
            ("2023-11-06", "'2023-11-06' as a date"),
            ("~", "not None"),
            ("", "not None"),
            ("yes please", "not 'yes please'"),
            ("true", r"not True \(bool\)"),
            (".nan", "finite number, not nan"),
            ("!!python/object:os.system x", "could not determine a constructor"),
            ("[1, 2]", "not \\[1"),
            ("{a: 1}", "not {'a'"),
        ],
    )
    def test_what_yaml_makes_of_a_scalar(self, file, scalar, said):
        path = file(f"02-units-and-bases:\n  value: {scalar}\n")
        with pytest.raises(StoragebookError, match=said) as caught:
            parameters.load_file(path)
        assert "my.yml" in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_the_line_is_named(self, file):
        with pytest.raises(StoragebookError, match=r"my\.yml:3: YAML reads 'no'"):
            parameters.load_file(file("# comment\nindex:\n  x: no\n"))

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("- a\n", "maps notebooks"),
            ("just text\n", "maps notebooks"),
            ("index: 5\n", "does not map"),
            ("nothing: {}\n", "no notebook 'nothing'"),
            ("5: {}\n", "does not map"),
            ("index: {}\nindex: {}\n", r":2: 'index' stands twice"),
            ("index: {[1]: 2}\n", "a name is a word"),
            ("index: {a: 1\n", r"my.yml:\d"),
            ("a: 1\n---\nb: 2\n", "another document"),
            ("a: *b\n", ":1: an alias"),
            ("index: {x: &a [1], y: *a}\n", ":1: an alias"),
            ("index: &a {x: 1}\nb:\n  <<: *a\n", ":3: an alias"),
            (b"\xff\xfe", "not UTF-8"),
            ("a: \0", "special characters"),
            ("[" * 5000, "no readable YAML|expected"),
            ("#" * (1 << 20) + "\n", "longer than"),
        ],
    )
    def test_what_is_no_parameter_file(self, file, text, said):
        with pytest.raises(StoragebookError, match=said) as caught:
            parameters.load_file(file(text))
        assert "my.yml" in str(caught.value)

    def test_missing_and_unreadable(self, tmp_path):
        with pytest.raises(StoragebookError, match=r"my\.yml: No such file"):
            parameters.load_file(tmp_path / "my.yml")
        with pytest.raises(StoragebookError, match="directory"):
            parameters.load_file(tmp_path)

    @given(st.text(max_size=60))
    def test_any_text_is_read_or_refused(self, tmp_path_factory, text):
        path = tmp_path_factory.getbasetemp() / "fuzz.yml"
        path.write_text(text, encoding="utf-8", errors="replace")
        try:
            found = parameters.load_file(path)
        except StoragebookError as refusal:
            found = str(refusal)
        assert isinstance(found, dict) or found.isprintable()


def _cells():
    for path in sorted((paths.root() / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield path.stem, [c for c in cells if "parameters" in c["metadata"].get("tags", [])]


@pytest.mark.parametrize(("stem", "cells"), list(_cells()))
def test_the_parameters_cell_holds_the_models_defaults(stem, cells):
    values = {}
    for cell in cells:
        for statement in ast.parse("".join(cell["source"])).body:
            assert isinstance(statement, ast.Assign | ast.AnnAssign)
            target = getattr(statement, "target", None) or statement.targets[0]
            values[target.id] = ast.literal_eval(statement.value)
    assert values == parameters.model(stem)().model_dump()
