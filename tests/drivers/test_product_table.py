"""The product table: the built-in rows, and rows of a user's own."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from kubectl_llmfit.api.values import DeviceShape
from kubectl_llmfit.drivers import products
from kubectl_llmfit.drivers.products import Partition, Product, builtin_table, find
from kubectl_llmfit.drivers.profile import Profile
from kubectl_llmfit.drivers.registry import profile_of_driver
from kubectl_llmfit.drivers.tablefile import read_table
from kubectl_llmfit.errors import UsageError

TABLE = builtin_table()
HEAD = "vendor,driver_product_names,memory_gib,memory_bandwidth_gb_s"
TWO_ROWS = {
    *("NVIDIA GeForce RTX 5060 Ti", "NVIDIA GeForce RTX 4060 Ti", "NVIDIA GeForce RTX 3080"),
    *("NVIDIA GeForce RTX 3060", "NVIDIA GeForce RTX 3050", "AMD Instinct MI250X / MI250"),
    *("AMD Radeon Instinct MI60 / MI50", "AMD Radeon RX 9060 XT"),
    *("A770", "Intel(R) Arc(TM) A770 Graphics"),
}


def profile(name: str) -> Profile:
    found = profile_of_driver(name)
    assert found is not None
    return found


@pytest.mark.parametrize("product", TABLE.products, ids=lambda product: product.product)
def test_a_rows_figures_are_in_the_units_of_their_columns(product: Product) -> None:
    # a label from 4 GiB (RTX A400) to 432 GiB (MI455X), bandwidth from 50 GB/s (Inferentia) to 23300 (MI455X)
    assert product.memory_mib is None or 4 * 1024 <= product.memory_mib <= 432 * 1024
    assert product.bandwidth_gbs is None or 50 <= product.bandwidth_gbs <= 23_300
    assert product.source
    assert product.confidence in {"high", "medium", "low", "unknown bandwidth"}
    assert (product.confidence == "unknown bandwidth") == (product.bandwidth_gbs is None)
    if product.memory_mib is not None:
        for published in product.published_mib:
            # 0.9326 of the label (B300) is the least that was seen
            assert 0.93 * product.memory_mib <= published <= product.memory_mib
        for partition in product.partitions:
            assert partition.gigabytes * 1024 <= product.memory_mib
            assert (partition.published_mib or 0) <= partition.gigabytes * 1024
            assert product.memory_slices in (4, 8)


def test_ten_names_stand_in_two_rows() -> None:
    names = [name for product in TABLE.products for name in product.names]
    assert {name for name in names if names.count(name) > 1} == TWO_ROWS


def test_no_product_stands_twice() -> None:
    assert len({(product.vendor, product.product) for product in TABLE.products}) == len(TABLE.products)


def test_a_row_keeps_what_its_line_says() -> None:
    product = next(product for product in TABLE.products if product.product == "H100 SXM5 80GB")
    assert product.names == ("NVIDIA H100 80GB HBM3",)
    assert product.pci_ids == ("10de:2330",)
    assert (product.memory_mib, product.published_mib, product.bandwidth_gbs) == (81920, (81559,), Fraction(3350))
    assert product.memory_slices == 8
    assert Partition("1g.10gb+me", 10, 9856) in product.partitions
    assert product.least_mib() == 81559
    assert (product.file, product.line) == ("accelerators.csv", 10)


def test_what_is_published_is_assumed_to_be_93_percent_of_the_label_where_nothing_is_known() -> None:
    product = next(product for product in TABLE.products if product.product == "A16 (per GPU, 4 per card)")
    assert product.least_mib() == 15237  # 0.93 x 16384 = 15237.12


def test_a_driver_has_the_products_of_its_vendor() -> None:
    assert [p.product for p in TABLE.of(profile("gaudi.intel.com"))] == ["Gaudi3", "Gaudi2", "Gaudi (1)"]
    assert all(not p.product.startswith("Gaudi") for p in TABLE.of(profile("gpu.intel.com")))
    assert TABLE.of(profile("hami-core-gpu.project-hami.io")) == TABLE.of(profile("gpu.nvidia.com"))
    assert TABLE.of(profile("llmfit.ai")) == ()


def test_the_table_is_read_once() -> None:
    assert builtin_table() is builtin_table()


def test_rows_of_ones_own_replace_those_of_the_same_name() -> None:
    rows = read_table(f"{HEAD}\nNVIDIA,NVIDIA GeForce RTX 3080,20,760\nnvidia,NVIDIA R200,288,20000\n", "mine.csv")
    table = TABLE.with_rows(rows)
    nvidia = profile("gpu.nvidia.com")
    named = [p for p in table.of(nvidia) if "NVIDIA GeForce RTX 3080" in p.names]
    assert [(p.file, p.line, p.memory_mib) for p in named] == [("mine.csv", 2, 20480)]
    shape = DeviceShape(attributes={"productName": "NVIDIA R200"})
    assert find(nvidia, shape, TABLE) == ()
    assert [p.bandwidth_gbs for p in find(nvidia, shape, table)] == [20000]
    assert len(table.products) == len(TABLE.products) + 2 - 2


def test_a_product_keeps_the_names_that_are_not_replaced() -> None:
    rows = read_table(f"{HEAD}\nNVIDIA,NVIDIA GH200 120GB,96,3999\n", "mine.csv")
    names = [p.names for p in TABLE.with_rows(rows).products if any("GH200 " in name for name in p.names)]
    assert names == [("NVIDIA GH200 120GB",), ("NVIDIA GH200 144G HBM3e",), ("NVIDIA GH200 480GB",)]


@pytest.mark.parametrize("bandwidth", [300, 500])
def test_a_row_counts_for_devices_that_say_their_pci_id_as_well(bandwidth: int) -> None:
    # the table has "B580 | Intel(R) Arc(TM) B580 Graphics", 8086:e20b, 456 GB/s; a driver tells the id beside the name
    table = TABLE.with_rows(read_table(f"{HEAD}\nIntel,B580,12,{bandwidth}\n", "mine.csv"))
    intel = profile("gpu.intel.com")
    shape = DeviceShape(attributes={"model": "B580", "pciId": "0xe20b"})
    assert [p.bandwidth_gbs for p in find(intel, shape, TABLE)] == [456]
    assert [p.bandwidth_gbs for p in find(intel, shape, table)] == [bandwidth]


def test_an_id_that_several_products_have_stays_with_those_that_keep_their_names() -> None:
    table = TABLE.with_rows(read_table(f"{HEAD}\nAMD,AMD Radeon RX 7900 XT,20,750\n", "mine.csv"))
    found = find(profile("gpu.amd.com"), DeviceShape(attributes={"deviceID": "0x744c"}), table)
    assert sorted(int(p.bandwidth_gbs or 0) for p in found) == [576, 750, 960]


def test_a_product_is_found_by_the_name_that_its_driver_gives_it() -> None:
    def found(driver: str, **attributes: str) -> list[str]:
        return [p.product for p in find(profile(driver), DeviceShape(attributes=attributes), TABLE)]

    assert found("gpu.nvidia.com", productName="Tesla T4") == ["T4"]
    assert found("gpu.nvidia.com", **{"gpu.nvidia.com/productName": "Tesla T4"}) == ["T4"]
    assert found("gpu.nvidia.com", productName="T4") == []
    assert found("gpu.amd.com", productName="AMD_Radeon_PRO_V620") == ["Radeon PRO V620"]
    assert found("gpu.amd.com", productName="", deviceID="0x74a5") == ["Instinct MI325X"]
    # one PCI id for three cards: the name says which
    assert found("gpu.amd.com", productName="AMD_Radeon_RX_7900_XT", deviceID="0x744c") == ["Radeon RX 7900 XT"]
    assert len(found("gpu.amd.com", productName="", deviceID="0x744c")) == 3
    assert found("gpu.intel.com", model="Unknown", pciId="0x0bd7") == ["Data Center GPU Max 1350"]
    assert found("neuron.aws.com", instanceType="trn2u.48xlarge") == ["Trainium2"]
    assert found("neuron.aws.com", instanceType="trn20.48xlarge") == []
    assert found("neuron.aws.com") == []


GOOD = "NVIDIA,NVIDIA R200,288,20000"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "mine.csv: line 1: no column vendor"),
        ("vendor,memory_gib\n", "mine.csv: line 1: no column driver_product_names"),
        (f"{HEAD},color\n", 'mine.csv: line 1: unknown column "color"'),
        (f"{HEAD}\n{GOOD}\nNVIDIA,NVIDIA R100\n", "mine.csv: line 3: has not as many cells as line 1"),
        (f"{HEAD}\n{GOOD},1\n", "mine.csv: line 2: has not as many cells as line 1"),
        (f"{HEAD}\nNvidea,NVIDIA R100,1,1\n", 'mine.csv: line 2: vendor "Nvidea": must be one of NVIDIA, AMD'),
        (f"{HEAD}\nNVIDIA,,1,1\n", 'mine.csv: line 2: driver_product_names "": must be names'),
        (f"{HEAD}\nNVIDIA,it's,1,1\n", "mine.csv: line 2: driver_product_names \"it's\": must be names"),
        (f"{HEAD}\nNVIDIA,{'x' * 65},1,1\n", "no device publishes a name of more than 64 bytes"),
        (f"{HEAD}\nNVIDIA,R100,80GB,1\n", 'mine.csv: line 2: memory_gib "80GB": must be a number such as 80 or 716.8'),
        (f"{HEAD}\nNVIDIA,R100,-80,1\n", 'mine.csv: line 2: memory_gib "-80": must be a number'),
        (f"{HEAD}\nNVIDIA,R100,80,0\n", 'mine.csv: line 2: memory_bandwidth_gb_s "0": must be more than 0'),
        (f"{HEAD}\nNVIDIA,R100,80,٣\n", "must be a number such as 80 or 716.8"),
        (f"{HEAD}\nNVIDIA,R100,80,1e9\n", "must be a number such as 80 or 716.8"),
        (f"{HEAD}\nNVIDIA,R100,80,{'9' * 5000}\n", "must be a number such as 80 or 716.8"),
        (f"{HEAD}\nNVIDIA,R100,80,2000000\n", "must be more than 0 and at most 1000000"),
        (f"{HEAD},published_memory_mib\n{GOOD},294913\n", "publishes more than 0 and no more than its memory_gib"),
        (f"{HEAD},published_memory_mib\n{GOOD},288Gi\n", "must be whole MiB, separated by |, or none"),
        (f"{HEAD},pci_ids\n{GOOD},2330\n", 'mine.csv: line 2: pci_ids "2330": must be like 10de:2330'),
        (f"{HEAD},memory_slices\n{GOOD},7\n", 'mine.csv: line 2: memory_slices "7": must be 1, 2, 4, 8'),
        (f"{HEAD},mig_profiles\n{GOOD},1g10gb\n", 'mine.csv: line 2: mig_profiles "1g10gb": must be MIG profiles'),
        (f'{HEAD}\n"NVIDIA,R100,80,1\n', "mine.csv: line 2: "),
    ],
)  # fmt: skip
def test_a_bad_row_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_table(text, "mine.csv")
    assert said in raised.value.message


def test_a_row_may_leave_out_what_is_not_known() -> None:
    (row,) = read_table(f"\ufeff{HEAD},published_memory_mib\nNVIDIA,A | B ,, 716.8,none\n", "mine.csv")
    assert (row.names, row.product, row.memory_mib, row.bandwidth_gbs) == (("A", "B"), "A", None, Fraction("716.8"))
    assert not row.publishes_memory
    assert row.least_mib() is None


def test_columns_that_nothing_reads_may_stand_there() -> None:
    columns = f"{HEAD},llmfit_gb_s,fp16_dense_tflops,fp16_basis,mig_profiles"
    (row,) = read_table(f'{columns}\nAMD,AMD MI999,999,9999,,2500,vendor,"spx, cpx"\n', "mine.csv")
    assert (row.bandwidth_gbs, row.partitions) == (9999, ())


def test_the_built_in_file_can_be_given_back() -> None:
    text = Path(products.__file__).with_name("accelerators.csv").read_text(encoding="utf-8")
    assert {p.product for p in TABLE.with_rows(read_table(text, "again.csv")).products} == {
        p.product for p in TABLE.products
    }
