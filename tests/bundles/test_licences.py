import tomllib

import pytest

from shipbar.bundles import licences
from shipbar.errors import UserError


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("CC-BY-4.0", ("CC-BY-4.0",)),
        ("MIT AND LicenseRef-Ours-1.0", ("LicenseRef-Ours-1.0", "MIT")),
        ("(MIT OR Apache-2.0) AND MIT", ("Apache-2.0", "MIT")),
        (
            "GPL-2.0-only WITH Classpath-exception-2.0",
            ("Classpath-exception-2.0", "GPL-2.0-only"),
        ),
    ],
)
def test_an_expression_has_its_ids(expression, found):
    assert licences.ids(expression, "here") == found


@pytest.mark.parametrize(
    "expression", ["", "Ours-1.0", "MIT AND", "MIT AND Mine", "LicenseRef-a_b"]
)
def test_what_is_no_expression_is_refused(expression):
    with pytest.raises(UserError, match="here: "):
        licences.ids(expression, "here")


def test_reuse_names_the_licence_of_each_task():
    data = licences.reuse_toml(
        {"a": "MIT", "b": "CC-BY-4.0 OR MIT"}, 'The "makers"', images=False
    )
    tables = tomllib.loads(data.decode())["annotations"]
    said = {it["path"]: it["SPDX-License-Identifier"] for it in tables}
    assert said["**"] == "(CC-BY-4.0 OR MIT) AND MIT"
    assert said["tasks/a/**"] == "MIT"
    assert said["sealed/b.tar.age"] == "CC-BY-4.0 OR MIT"
    assert {it["SPDX-FileCopyrightText"] for it in tables} == {'The "makers"'}


def test_one_licence_needs_one_table_and_images_another():
    data = licences.reuse_toml({"a": "MIT", "b": "MIT"}, "us", images=True)
    tables = tomllib.loads(data.decode())["annotations"]
    assert [it["SPDX-License-Identifier"] for it in tables] == [
        "MIT",
        f"MIT AND {licences.IMAGE_BASE}",
    ]
