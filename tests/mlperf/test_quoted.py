"""What two articles quote of v2.0 results, by hand from their figures."""

import pytest

from storagebook.intervals import Interval
from storagebook.mlperf import policy, quoted

GB_PER_GIB = 1.073741824


def spoken(said):
    return " ".join(template.format(**values) for template, values in said)


@pytest.mark.parametrize(
    ("ends", "spec", "text"),
    [
        ((1.04, 2.01), ",.1f", "1.0 to 2.1"),
        ((2, 2), ",.0f", "2"),
        ((1500.2, 1500.4), ",.0f", "1,500 to 1,501"),
        ((0.3, 0.3), ",.1f", "0.2 to 0.3"),  # the float lies below its digits
    ],
)
def test_a_span_is_never_tighter_than_its_interval(ends, spec, text):
    assert quoted.span(Interval(*ends), spec) == text


# -- source 001


def test_statements_in_consistent_units():
    found = quoted.statements().set_index("workload")
    unet, resnet, cosmo = (found.loc[name] for name in ("3D U-Net", "ResNet-50", "CosmoFlow"))
    assert (unet.accelerators, unet.au_pct, unet.printed) == (40, "92.7", "108 GiB/s")
    assert unet.gb_s == pytest.approx(108 * GB_PER_GIB)
    assert (unet.per_host_gib_s, unet.per_accelerator_gib_s) == pytest.approx((10.8, 2.7))
    # 40 x 2.95891 x 0.927 = 109.7; by 0.833 and 0.997
    assert unet.predicted_gib_s == "91.3 to 109.5"
    assert (unet.unit, resnet.unit) == ("undecided", "GiB/s")
    # 500 x 0.19069 x 0.95 = 90.58
    assert resnet.predicted_gib_s == "89.4 to 91.1"
    assert (resnet.accelerators, cosmo.accelerators) == (500, 100)
    # 100 x 0.75264 x 0.75 = 56.4, and no bandwidth is printed
    assert cosmo.predicted_gib_s == "54.2 to 56.9"
    assert cosmo.printed != cosmo.printed or cosmo.printed is None


def test_what_bears_one_another_out():
    said = spoken(quoted.said_of_statements())
    assert "bear one another out for 3D U-Net, ResNet-50" in said
    # 56.4 of 116.4 GiB/s are 48 %
    assert "ask for 54.2 to 56.9 GiB/s, 46 to 49 %" in said
    # 80 x 2.95891 x 0.9265 x 0.83297 = 182.7
    assert "80 H100 ask for at least 183 GiB/s, more than the cards of the clients" in said


def test_where_the_clients_would_do_it_is_said(monkeypatch):
    small = Interval.point(100)
    monkeypatch.setattr(quoted.demand, "bandwidth", lambda *_: small)
    assert "no more than the cards of the clients may carry" in spoken(quoted.said_of_statements())


def test_network_shares_fit_only_when_units_are_mixed():
    found = quoted.network().set_index("workload")
    # 108 / 116.415 = 92.77 %, 108 / 125 = 86.4 %
    assert found.loc["3D U-Net"].in_one_unit_pct == "92.3 to 93.3"
    assert found.loc["3D U-Net"].mixed_pct == "86.0 to 86.8"
    # 85 to 95 by its printed zero, of 116.415 and of 125
    assert found.loc["ResNet-50"].in_one_unit_pct == "73.0 to 81.7"
    assert found.loc["ResNet-50"].mixed_pct == "68.0 to 76.0"
    assert found.mixed_fits.all()
    assert not found.one_unit_fits.any()
    said = spoken(quoted.said_of_network())
    assert "116.4 GiB/s, or 125 GB/s" in said
    assert "in one unit: 0 of 2" in said
    assert "as if they were one: 2 of 2" in said
    assert "decide it for ResNet-50" in said
    assert "For 3D U-Net the answer is *undecided*" in said


def test_no_unit_is_guessed_where_none_can_be_told(monkeypatch):
    class Open:
        answer = "undecided"

    monkeypatch.setattr(quoted.demand, "which_unit", lambda *_, **__: Open())
    assert "cannot tell" in spoken(quoted.said_of_network())


def test_the_larger_cluster_can_only_be_decimal():
    decimal, binary = quoted.cluster().to_dict("records")
    # 1.2e12 B/s over 100 nodes are 96 Gbit/s of 100
    assert decimal["per_node_gbit_s"] == pytest.approx(96)
    assert decimal["gib_s"] == pytest.approx(1117.587, abs=1e-3)
    assert (decimal["of_card_pct"], decimal["possible"]) == ("92.0 to 100.0", True)
    assert binary["per_node_gbit_s"] == pytest.approx(105.553, abs=1e-3)
    assert binary["possible"] is False
    said = spoken(quoted.said_of_cluster())
    assert "1.2 TB/s stays within that; 1.2 TiB/s would be more" in said
    # 100 x 100 Gbit/s are 1,250 GB/s
    assert "about 400 to more than 1500 GiB/s" in said
    assert "own cards carry 1,164 GiB/s" in said


def test_v100_of_the_first_round():
    found = quoted.history().set_index("accelerator")
    # about 110, 99 to 121, x 0.40145 x 0.9
    assert found.loc["V100"].asked_gib_s == "35.7 to 43.8"
    assert found.loc["V100"].accelerators == "99 to 121"
    # the same bandwidth keeps 110 x 0.40145 / 2.95891 = 14.9 H100
    assert found.loc["H100"].accelerators == "13 to 17"
    said = spoken(quoted.said_of_history())
    assert "324 to 359 Gbit/s" in said
    assert "7.4 times as much" in said


def test_sample_sizes():
    found = quoted.samples().set_index("workload")
    assert found.fits.to_dict() == {"3D U-Net": True, "ResNet-50": False, "CosmoFlow": False}
    assert found.configured_b.tolist() == [146_600_628, 114_660.07, 2_828_486]


# -- section 6.2


def test_a_checkpoint_at_each_quoted_rate():
    found = quoted.checkpoint_times().set_index("rate")
    # 5,288 GiB are 5,677.9 GB: at 1,000 GB/s 5.68 s, at 800 7.10 s, at 600 9.46 s, at 400 14.19 s
    assert found.seconds.to_dict() == {
        "DAOS writing": "5.6 to 7.1",
        "DAOS reading": "9.4 to 9.5",
        "Lustre lower end": "14.1 to 14.3",
        "Lustre upper end": "9.4 to 9.5",
    }
    assert found.within.to_dict() == {
        "DAOS writing": "yes",
        "DAOS reading": "yes",
        "Lustre lower end": "no",
        "Lustre upper end": "yes",
    }
    assert found.printed.tolist() == [
        "nearly 1 TB/s",
        "600 GB/s",
        "from 400 GB/s",
        "to 600 GB/s",
    ]


def test_each_checkpoint_of_the_benchmark():
    found = quoted.checkpoint_sizes()
    # reading from DAOS and the upper end of Lustre are one rate
    assert len(found) == 4 * 3
    assert set(found.rate) == {
        "1,000 GB/s, DAOS",
        "600 GB/s, DAOS, Lustre",
        "400 GB/s, Lustre",
    }
    one = found[(found.model == "llama3-1t, 17,997 GiB") & (found.rate == "400 GB/s, Lustre")]
    # 19,324.1 GB / 400 GB/s
    assert one.duration_s.iloc[0] == pytest.approx(48.3103, abs=1e-4)
    assert quoted.checkpoints_title().endswith("takes 5.7 to 14.2 s")


def test_what_is_said_of_checkpoints():
    said = spoken(quoted.said_of_checkpoints())
    assert "5,288 GiB, or 5,678 GB" in said
    assert "more than 568 GB/s" in said
    assert "met by DAOS writing; DAOS reading; Lustre upper end" in said
    assert "it is not by Lustre lower end" in said
    assert "follows from a rate that it prints for Lustre as well" in said
    assert "Writing it does: 800 to 1,000 GB/s against 600 GB/s" in said
    assert "Lustre at most 600 GB/s, which is the same" in said
    assert "is 62 % of the 650 GB/s" in said


def test_shares_of_the_servers():
    found = quoted.shares_of_servers().set_index("of")
    assert found.servers.to_dict() == {
        "planned": 1024,
        "deployed on the way": 370,
        "deployed in the end": 800,
    }
    assert found.share_pct.tolist() == pytest.approx([12.5, 34.5946, 16.0], abs=1e-4)


# -- names


def test_nothing_quoted_is_called_verified():
    names = quoted.named()
    assert len(names) == 5
    assert not any(one.verified for one in names)
    assert {one.round for one in names} == {"v2.0"}
    assert all(one.division is None for one in names)
    assert policy.footnote(names).count(policy.UNVERIFIED) == 4
