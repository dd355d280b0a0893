"""Texts in languages that an English encoder doesn't know are detected."""

import random
import unicodedata

import pytest

from tted_core import read_map
from tted_core.notices import language_notice
from tted_core.words.languages import (
    MOST_LETTERS,
    foreign_languages,
    languages_of,
)
from ui import samples

LABELS = {
    "en": "Climate change|Causes|Greenhouse gases from industry|Transport|Consequences|Rising sea level|More "
    "droughts|Solutions|Renewable energy|Eat less meat|Train instead of car|Project plan|Goals|Schedule|Risks and "
    "measures|Stakeholders|Costs|Approve budget|Kick-off in January|Customer acceptance",
    "de": "Klimawandel|Ursachen|Treibhausgase aus der Industrie|Verkehr|Folgen für Mensch und Natur|Steigender "
    "Meeresspiegel|Mehr Dürren|Lösungen|Erneuerbare Energien|Weniger Fleisch essen|Bahn statt Auto|Projektplan|"
    "Ziele|Zeitplan|Risiken und Maßnahmen|Beteiligte|Kosten|Budget freigeben|Kick-off im Januar|Abnahme durch "
    "den Kunden",
    "fr": "Le changement climatique|Causes|Gaz à effet de serre|Transports|Conséquences|Montée des eaux|"
    "Sécheresses|Solutions|Énergies renouvelables|Manger moins de viande|Le train plutôt que la voiture|Plan du "
    "projet|Objectifs|Calendrier|Risques et mesures|Participants|Coûts|Valider le budget|Lancement en janvier|"
    "Recette par le client",
    "es": "Cambio climático|Causas|Gases de efecto invernadero|Transporte|Consecuencias|Subida del nivel del mar|"
    "Más sequías|Soluciones|Energías renovables|Comer menos carne|Tren en vez de coche|Plan del proyecto|"
    "Objetivos|Calendario|Riesgos y medidas|Participantes|Costes|Aprobar el presupuesto|Inicio en enero|"
    "Aceptación por el cliente",
}
TERMS = (
    "Quicksort", "Pivot selection", "Hoare partition", "Median of three", "Worst case O(n^2)", "Heapsort",
    "Mergesort", "Stable", "In-place", "Photosynthesis", "Chlorophyll", "Calvin cycle", "RuBisCO", "ATP and NADPH",
    "Thylakoid membrane", "Stroma", "Krebs cycle", "Mitochondria", "Wien bridge", "San Francisco de Asís",
    "Homo sapiens", "Canis lupus familiaris", "Quercus robur",
)  # fmt: skip


def labels(language: str) -> list[str]:
    return LABELS[language].split("|")


@pytest.mark.parametrize("topic", samples.topics())
def test_only_samples_in_other_languages_are_reported(topic):
    for file in (each for each in samples.list_all() if each.startswith(f"{topic}/")):
        notices = language_notice("minilm", read_map(samples.FOLDER / file).tree.labels)
        expected = "Russian" if file.endswith("translation_ru.json") else samples.SAMPLE_LANGUAGES.get(topic)
        assert len(notices) == (expected is not None), file
        if expected:
            assert notices[0].startswith(f"the texts are in {expected}, and the encoder minilm"), file
            assert notices[0].endswith("; choose use-multilingual"), file


@pytest.mark.parametrize("language", [name for name in LABELS if name != "en"])
@pytest.mark.parametrize(("size", "least"), [(3, 0.7), (5, 0.9), (10, 1.0)])
def test_short_labels_are_classified_together(language, size, least):
    draw = random.Random(size)
    maps = [draw.sample(labels(language), size) for _ in range(40)]
    detected = [next(iter(foreign_languages(each)), None) for each in maps]
    assert detected.count(language) >= least * len(maps)
    assert set(detected) <= {language, None}


@pytest.mark.parametrize("words", [labels("en"), TERMS], ids=["labels", "terms"])
def test_english_labels_terms_and_species_are_recognised_as_english(words):
    draw = random.Random(7)
    for size in (1, 2, 3, 5, 10, 20):
        for _ in range(40):
            assert language_notice("minilm", draw.sample(words, size)) == ()


@pytest.mark.parametrize(
    ("texts", "start"),
    [
        ([*labels("en"), *TERMS, *labels("de")], "many of the texts are in German, and"),
        ([*labels("en")[:8], *labels("de")], "most of the texts are in German, and"),
        ([*labels("de"), *labels("es")], "the texts are in German and Spanish, and"),
        ([*labels("en"), *TERMS, *labels("de")[:2]], None),
        (["Haus"], None),
        (["", " ", "12 %", "x = y²"], None),
        ([], None),
    ],
)
def test_mixed_and_short_maps(texts, start):
    notices = language_notice("minilm", texts)
    assert [notice.startswith(start) for notice in notices] == ([True] if start else [])


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ru", "Вода нужна для жизни"),
        ("uk", "Вода і життя, які вона має"),
        ("ar", "الماء ضروري للحياة"),
        ("he", "מים חיוניים לחיים"),
        ("zh", "水对生命至关重要"),
        ("ja", "水は命に必要です"),
        ("ko", "물은 생명에 필요하다"),
        ("th", "น้ำจำเป็นต่อชีวิต"),
        ("el", "Το νερό είναι ζωή"),
    ],
)
def test_scripts_imply_languages_and_each_encoder_reports_unknown_ones(language, text):
    assert list(languages_of([text, text])) == [language]
    assert len(language_notice("minilm", [text])) == 1
    known = language not in {"uk", "he", "el"}
    assert len(language_notice("use-multilingual", [text])) == (not known)
    assert language_notice("mpnet-multilingual", [text]) == language_notice("labse", [text]) == ()
    named = "use-multilingual" if known else "mpnet-multilingual"
    assert language_notice("minilm", [text])[0].endswith(f"; choose {named}")


def test_labels_in_latin_letters_do_not_affect_other_scripts():
    """Together they were taken for Serbian, which has both alphabets."""
    labels = [
        "О направлении движения на ней пассажиру подсказывает голос диктора в вагоне.",
        "Si esperan demasiado tiempo en sacos, los frutos fermentan y el aceite toma mal sabor.",
        "Las aceitunas deben llegar al molino el mismo día para que el aceite sea bueno.",
        "Die Varroamilbe kam in den siebziger Jahren aus Asien nach Europa.",
        "Un grupo de catadores prueba cada aceite y puntúa su sabor, su amargor y su picor.",
    ]
    assert list(languages_of(labels)) == list(languages_of(labels[:1])) == ["ru"]


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("fa", "می‌رود به درخت‌ها"),
        ("fa", "کتاب‌ها و آب‌وهوا"),
        ("be", unicodedata.normalize("NFD", "Здароўе дзяцей")),
    ],
)
def test_signs_between_letters_and_separate_accents_are_kept(language, label):
    assert list(languages_of([label])) == [language]


def test_letters_unknown_to_python_are_ignored():
    assert languages_of(["1. \u209d"]) == languages_of(["a\ua7cb"]) == {}


def test_a_name_in_another_script_is_not_a_language_of_the_map():
    assert languages_of(["The river Volga (Волга) flows through the whole of western Russia"]) == {}


def test_surrogates_and_long_texts_do_no_harm():
    assert foreign_languages(["\ud800" * 200]) == {}
    long = [f"{number}: der Baum und das Haus" for number in range(MOST_LETTERS)]
    assert foreign_languages(long) == {"de": 1.0}
