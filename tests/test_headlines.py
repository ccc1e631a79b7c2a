"""The first page's findings, against figures copied by hand from the result files."""

from storagebook import headlines, ledger, ledger_page
from storagebook.claims import Verdict
from storagebook.systems import judged, known


def text():
    return " ".join(template.format(**values) for template, values in headlines.all_of_them())


def test_the_first_page_says_whose_files_were_counted():
    # total-files of submissions 688 and 695
    assert "177 billion files" in text()
    assert "those of submission 0695, the run without redundancy; its own count is 58.6" in text()


def test_it_says_that_the_two_runs_differ_in_processes():
    assert "62,400 processes with it, 31,200 without" in text()


def test_it_explains_the_listed_score():
    assert "(submission 0688, verified, production list, ISC26) is 32,165.93" in text()
    assert "prints 32,165.90, as a score kept to 6 significant digits would" in text()


def test_its_counts_add_up():
    every = ledger.verdicts().claims.sum()
    by_source = ledger.counts().drop(columns="verdict")
    assert every == by_source.to_numpy().sum()
    assert f"**{every:,} claims** in {len(by_source.columns)} documents" in text()


def test_it_tells_distinct_mistakes_from_a_repeated_label():
    # the sixteen bandwidths of source 002
    blocks = ledger_page.blocks(ledger_page.ALL, Verdict.CONTRADICTED)
    assert len(blocks) == 33
    assert "(33 statements: 16 of the claims are one label of bandwidths)" in text()


def test_products_are_no_scores():
    # three files that submission 0109 gathers
    assert "in 206; 3 early ones print the product whose root it is" in text()


def test_it_says_what_is_quoted_correctly_too():
    assert "12 of 12 are the raw figures, correctly rounded" in text()


def test_it_says_what_stands_below_a_ratio():
    # 5,262,890 and 5,723,194.84 MB/s over 597,492, about 600,000 and about 650,000 MB/s
    said = "one of 6 ratios that the figures told with it allow, from 8.1 to 9.6, by what"
    assert f"**8.8 times Lustre**, for the cosmology code HACC on DAOS, is {said}" in text()
    assert "3 of them print as 8.8" in text()


def test_it_says_what_decimal_units_stood_for():
    assert "12 bandwidths that submitters printed" in text()
    assert (
        "GiB/s once, GB/s 5 times, thousands of MiB/s 3 times; for 3 of them none, or more"
        in text()
    )


def test_it_counts_the_pairs_that_may_not_be_compared():
    found = judged.pairs(known.of_matrix())
    refused = sum(one.status == "refused" for one in found)
    assert len(found) == len(known.of_matrix()) * (len(known.of_matrix()) - 1) // 2
    assert f"**{len(found)} pairs** of {len(known.of_matrix())} figures" in text()
    assert f"{refused} may not be compared at all" in text()
