"""The first page's findings, against figures copied by hand from the result files."""

from storagebook import headlines, ledger


def text():
    return " ".join(template.format(**values) for template, values in headlines.all_of_them())


def test_the_first_page_says_whose_files_were_counted():
    # total-files of submissions 688 and 695
    assert "177 billion files" in text()
    assert "submission 0695; the protected run counts 58.6 billion" in text()


def test_it_says_that_the_two_runs_differ_in_processes():
    assert "62,400 processes with it, 31,200 without" in text()


def test_it_explains_the_listed_score():
    assert "is 32,165.93 by its own result file" in text()
    assert "prints 32,165.90, because the list keeps 6 significant digits" in text()


def test_its_counts_add_up():
    counts = ledger.verdicts()
    assert counts.claims.sum() == len(ledger.of("000"))
    assert f"**{counts.claims.sum()} claims**" in text()
