"""Words with which chat models speak about a map: openings of talk, names of a map, and words for levels.

They cover the languages that models are mostly used in. A missing language matters little: talk is recognised by
its position and punctuation first (:mod:`tted_core.formats.talk`).

The patterns are for lines without marks whose white space is single spaces (``without_marks``), and repeat nothing
without a limit before something that may fail: so the time they take is linear.
"""

import re

from tted_core.formats.lines import SYMBOL


def _either(alternatives: str) -> str:
    """A pattern of alternatives on several lines."""
    return f"(?:{'|'.join(line.strip() for line in alternatives.strip().splitlines())})"


TALK_OPENING = re.compile(
    _either(
        r"""
        sure|certainly|of course|absolutely|definitely|here(?:['’]s| is| are| you| we| it| goes)
        below (?:is|are)|above is|the (?:text|article|passage) can be|i(?:['’](?:ve|ll|d|m))
        i (?:have|came|can|could|hope|will|would|also|kept|used|created|made|organi[sz]ed|structured)|let me
        let['’]s|feel free|would you|do you|did you|want (?:me|it|this|that|to|an?)\b
        should i|shall i|if you|if needed
        (?:this|the above|the following|that) (?:mind ?map|map|outline|structure|diagram|captures|covers)
        (?:this|the above|the following|that) (?:represents|shows|should|is|organi[sz]es|summari[sz]es)
        hope\b|please|okay|ok[,.! ]|great|got it|based on (?:your|the)|as requested|you can|you asked
        to (?:view|render|use)\b|copy\b|paste\b|just let|happy to|need (?:any|more)|thank you|thanks
        click (?:to|here)|mind ?maps? (?:help|can)|in summary|to summari[sz]e|overall
        hier (?:ist|sind|eine?|die|der|kommt)|gern[e ]?|natürlich|klar[,.! ]|selbstverständlich|unten
        nachfolgend|im folgenden|möchtest|möchten sie|soll ich|wenn (?:du|sie)|falls|lass mich
        ich (?:kann|habe|hoffe)|diese (?:mindmap|übersicht|struktur)|brauchst du|benötigen sie
        sag (?:mir|bescheid)|das (?:ist|fasst)|alles klar
        вот|конечно|разумеется|с удовольствием|ниже|если (?:нужно|хотите|хочешь|вам|вы|требуется|необходимо)
        хотите|хочешь|могу|дайте знать|дай знать|надеюсь|хорошо[,.! ]|я (?:могу|подготовил|составил|создал)
        нужно ли|обращайтесь|эта (?:карта|схема|структура)|данная|давайте|готово|пожалуйста|ось|звісно|нижче
        якщо|за потреби|при необходимости|представляю
        voici|bien sûr|certainement|ci-dessous|souhaitez|voulez|veux-tu|n['’]hésite|si vous|si tu
        cette carte|je peux|j['’]ai|aquí (?:tienes|está|hay|va)|claro|por supuesto|a continuación|¿
        si (?:quieres|deseas?|necesitas?|lo)|puedo|este mapa|espero|ecco|certo|certamente|di seguito|vuoi
        se vuoi|posso|fammi sapere|spero|aqui está|com certeza|abaixo|gostaria|se (?:quiser|precisar)
        este mapa|desde já|avísame|házmelo
        natuurlijk|hieronder|wil je|laat (?:me|het)|als je|oto|oczywiście|poniżej|jasne|czy (?:chcesz|mam)
        jeśli|daj znać|jistě|zde je|níže|pokud|chcete|işte|tabii|elbette|aşağıda|ister(?:sen|seniz)|eğer
        यहाँ|यहां|ज़रूर|नीचे|अगर|क्या आप
        以下|下面|当然|當然|好的|好[，,！!]|这是|這是|这里是|這裡是|这份|该思维导图|根据|根據|如果|若|需要
        您|你|希望|请|請|是否|要不要|以上|我(?:可以|为|已|将|還|还)|没问题|こちら|もちろん|はい[、。]|必要
        ご希望|ご要望|この(?:マインドマップ|マップ)|何か|다음은|물론|아래|네[,. ]|원하시|필요|이 마인드맵
        도움
        إليك|اليك|بالطبع|بالتأكيد|بكل سرور|حسن[اً]|فيما يلي|هذه (?:خريطة|الخريطة|هي)|هل\b|إذا|اذا|يمكنني
        أتمنى|آمل|تفضل|أخبرني|در اینجا|البته|اگر|آیا|הנה|בטח|כמובן|להלן|האם|אם (?:תרצה|תרצי|צריך)|אשמח|זוהי
        """
    ),
    re.IGNORECASE,
)
"""Beginnings of sentences from a model to its reader; languages without spaces need no word boundary."""

_NOTE = _either(
    r"""
    note|notes|n\.?b\.?|(?:pro |quick |bonus |useful |study )?tips?|hint|remark|disclaimer|legend|key
    explanation|sources?|references?|citations?|next steps?|usage|how to (?:use|render|view)[^:：]{0,30}
    hinweise?|anmerkung(?:en)?|tipps?|legende|erklärung|quellen?|примечани[ея]|заметк[аи]|пояснени[ея]|совет|источник[и]?|легенда
    remarques?|conseil|notas?|consejo|fuentes?|fonti|nota bene|fontes?|注|注意|备注|備註|说明|說明|提示
    来源|參考|参考(?:资料|文献)?|備考|出典|참고|출처|ملاحظة|ملاحظات|المصادر|הערה|מקורות
    """
)
NOTE = re.compile(rf"{_NOTE} ?[:：\-–—]", re.IGNORECASE)
"""The label of a note to the reader."""

_READING = _either(
    r"""
    (?:further|recommended) reading|(?:useful |related |additional )?(?:links|resources)|bibliography
    works cited|literatur(?:verzeichnis|hinweise)?|weiterführende (?:links|literatur)|quellenangaben|belege
    (?:список )?литератур[аы]|(?:полезные )?ссылки|список источников|références|sources|bibliographie
    pour aller plus loin|referenzen|nachweise|referencias|bibliograf[ií]a|enlaces|riferimenti|referências|bronnen
    źródła|kaynaklar|参考链接|资料来源|引用|相关链接
    参考(?:サイト|リンク)|참고 ?(?:자료|문헌)|المراجع
    """
)
SOURCES = re.compile(
    rf"(?:{_NOTE}|{_READING})(?: (?:and|&|und|et|y|e|и) \w{{1,20}})? ?[:：]?$", re.IGNORECASE
)
"""A heading above a list of sources."""

_MAP = _either(
    r"""
    (?:(?:text[- ]based|simple|structured|hierarchical|visual|detailed|complete|comprehensive|full|final|revised
    updated|improved|expanded|concise|compact|ascii|markdown|mermaid) ){0,4}(?:mind[- ]?map|concept map)
    gedankenkarte|denkkarte|(?:интеллект|ментальн\w{1,3}|майнд|умственн\w{1,3})[- ]?(?:карт\w{1,3}|мэп|мап\w{0,3})
    карт\w{1,3} мысл\w{1,3}|carte (?:mentale|heuristique|conceptuelle)|mapa (?:mental|conceptual|myśli)
    mappa (?:mentale|concettuale)|myšlenkov\w{1,3} map\w{1,3}|zihin haritası|思维导图|思維導圖|脑图|心智图
    心智圖|マインドマップ|마인드 ?맵|(?:ال)?خريطة (?:ال)?ذهنية|نقشه ذهنی|מפת (?:ה)?(?:חשיבה|מחשבות)
    """
)
MAP = re.compile(_MAP, re.IGNORECASE)
"""Names of a map."""

EXPLANATION = re.compile(
    r"(?:(?:brief|short|kurze|краткое) )?(?:(?:the )?(?:explanation|rationale|reasoning)|erklärung|"
    r"erläuterung(?:en)?|begründung|пояснени[ея]|объяснение|explications?|explicación|spiegazione|说明|解释)"
    r"(?: .{1,60})? ?[:：]?"
    r"|how to (?:use|render|view|read)[^:：]{0,30}[:：]?|so (?:nutzt|verwende[nt]|liest)[^:：]{0,40}[:：]?|"
    r"как (?:использовать|читать)[^:：]{0,30}[:：]?|cómo (?:usar|leer)[^:：]{0,30}[:：]?|"
    r"comment (?:utiliser|lire)[^:：]{0,30}[:：]?|(?:如何使用|使用方法|使い方)[^:：]{0,20}[:：]?"
    rf"|(?:{_NOTE}|summary|about) (?:\w+ ){{1,3}}(?:structure|mind ?map|map|hierarchy) ?[:：]?",
    re.IGNORECASE,
)
"""A heading above what the model says about its map."""

_ABOUT = _either(
    r"""
    on the (?:topic|subject) of|zum thema|sur le thème(?: de)?|sobre el tema(?: de)?|sul tema|\bof\b
    \babout\b|\bon\b|\bfor\b|\bcovering\b|\bsummari[sz]ing\b|\bexplaining\b|\büber\b|\bzum?\b|\bzur\b
    \bvon\b|на тему|по теме|\bобо?\b|\bпо\b|\bпро\b|\bsur\b|\bde(?:l| la| los| las)?\b|\bd['’]|\bdes?\b
    \bsobre\b|\bdo\b|\bda\b|\bsu(?:l|lla|i|gli|lle)?\b|\bdi\b|\bover\b|\bo\b|عن|حول|لـ|ل(?=\w)|על|של
    """
)
_OF = rf"(?: (?:outline|summary|diagram|structure))? ?{_ABOUT} ?"
_COLON = r" ?[:：–—|-] ?"
TOPIC_PHRASES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:关于|關於|有关) ?[“「《\"']?(?P<topic>[^。：:，”」》\"']{{1,40}}?)[”」》\"']? ?的? ?{_MAP}",
        rf"(?:^|[：:，,。\s])[“「《](?P<topic>[^。：:，”」》]{{1,40}}?)[”」》] ?[的の]? ?{_MAP}",
        rf"(?P<topic>[^\s。：:，、”」》]{{1,30}}?)(?:について)?の{_MAP}",
        rf"{_MAP} ?[«“„\"「《] ?(?P<topic>[^«»”“\"」》]{{1,80}})[»”“\"」》]",
        rf"\b{_MAP}{_COLON}(?P<topic>\S.*)",
        rf"{_MAP}{_OF}(?P<topic>\S.*)",
    )
)
"""Phrases that introduce the topic of a map; the topic ends where ``TOPIC_END`` matches."""

MAP_TITLE = re.compile(
    rf"(?:{_MAP} ?[«“„\"「《](?P<quoted>[^«»”“\"」》]{{1,80}})[»”“\"」》]|"
    rf"{_MAP}{_COLON}(?P<behind>\S.*)|(?:an? |the )?{_MAP}{_OF}(?P<of>\S.*)|"
    rf"(?P<before>[^:：]{{1,80}}?)(?: ?[-–—|:：] ?(?:an? |the |eine |die )?{_MAP}| {_MAP}|"
    rf" ?[(（] ?{_MAP} ?[)）]| ?[的の]?(?:思维导图|思維導圖|脑图|心智图|心智圖|マインドマップ))) ?[:：]?$",
    re.IGNORECASE,
)
"""A title that says that the map is one."""

UNFINISHED = re.compile(
    r"(?:^|.* )(?:an?|the|to|of|my|your|our|this|with|for|in|as|into|from|and|eine?|einer|die|der|meine|als|und)$",
    re.IGNORECASE,
)
"""Words before "mind map" that are no topic without it: "How to draw a"."""

TOPIC_END = re.compile(
    _either(
        r"""
        [:：]$|[.!?。！？](?: |$)| ?[,;，；]
        [ ]in (?:a |an |the )?(?:bullet|text|markdown|outline|list|tree|plain|indented|hierarchical|mermaid)\b
        [ ]in (?:a |an |the )?(?:structured|\w+ format)|[ ](?:based on|as (?:an? |requested)|with |using |\(text)
        [ ](?:from (?:the|your)|that |which |structured|organi[sz]ed|formatted|generated|for you|in form|als |mit )
        [ ](?:auf basis|basierend|in stichpunkten|в виде|в формате|в форме|по ваш|на основе|sous forme|en forma)
        [ ](?:en formato|basad[oa]|in forma|em formato)
        [ ]?[(（][^()（）]*[)）] ?[:：]?$
        """
    ),
    re.IGNORECASE,
)
_WHOSE = _either(
    r"""
    its|their|main|key|your|the|this|my|our|given|provided|following|above|an?|ihren?|ihrem|ihrer|deinen?|deinem|deiner|den
    dem|der|das|ваш\w{0,3}|этот|этого|этому|данн\w{1,3}|твое\w{1,3}|tu|su|votre|ton|el|le|la|il|o|seu|your uploaded
    您的|你的|该|这个?|この|النص|نصك
    """
)
_SOURCE = _either(
    r"""
    ideas|points|concepts|text|article|document|passage|contents?|notes?|input|story|topic|summary|paragraph|essay|chapter
    information|data|excerpt|request|question|you|textes|artikels?|texts?|тексту?а?|стать[еяию]\w{0,3}
    документ\w{0,3}|texte|artículo|texto|testo|articolo|artigo|文章|文本|内容|テキスト|text[eo]?s?
    """
)
SOURCE_TEXT = re.compile(
    rf"(?:{_WHOSE} ?){{0,4}}{_SOURCE}"
    r"(?=$| ?[.,:;!。：，(]| (?:you|on|about|above|below|over|that|in|into|über|о|об|про|sur|sobre)\b)",
    re.IGNORECASE,
)
"""Words for the source of a map, which aren't a topic: "your article", "the text"."""

_CENTRE = _either(
    r"""
    (?:the )?(?:central|main|core|root)[ -](?:topic|idea|theme|concept|node|subject|title)
    cent(?:er|re|ral node)|root|zentrale[sr]? (?:thema|idee|begriff|knoten)|zentralthema|hauptthema
    zentrum|центральн\w{1,3} (?:тема|идея|узел|понятие)|главная (?:тема|идея)|центр|корень
    (?:sujet|thème|idée|concept|nœud) centrale?|(?:tema|idea|concepto|nodo) centrale?
    tema (?:principal|principale)|argomento centrale|tópico central|ideia central|中心主题|中心主題
    中心思想|中心节点|中心|核心主题|中心テーマ|中央テーマ|중심 ?주제
    الموضوع (?:الرئيسي|المركزي)|الفكرة (?:الرئيسية|المركزية)|المركز|נושא מרכזי|centraal onderwerp
    temat (?:główny|centralny)|merkezi konu|ana konu
    """
)
_TOPIC = _either(
    """
    topic|theme|subject|thema|тема|sujet|thème|tema|argomento|assunto|onderwerp|temat|konu|主题|主題|テーマ|주제
    موضوع|الموضوع|נושא
    """
)
_BRANCH = _either(
    r"""
    (?:main |primary |major |key )?(?:branch|topic|node)|hauptast|hauptzweig|ast|zweig|一级(?:分支|主题|标题|节点)
    (?:главная |основная )?(?:ветвь|ветка)|branche(?: principale)?|rama(?: principal)?
    ramo(?: principale?)?|主?分支|主枝|ブランチ|枝|가지|(?:ال)?فرع(?: (?:ال)?رئيسي)?|ענף|gałąź|tak|dal
    """
)
_SUB = _either(
    r"""
    sub[ -]?(?:branch|topic|node|theme|point)|child(?: node)?|secondary branch|leaf|unterast|unterzweig
    二级(?:分支|主题|标题|节点)|unterthema|unterpunkt|подветвь|подветка|подтема|подпункт|sous-(?:branche|thème)|sub-?(?:rama|tema)
    sotto-?(?:ramo|tema|argomento)|sub-?(?:ramo|tópico)|子分支|次分支|子主题|子主題|子节点
    サブ(?:ブランチ|トピック)|하위 ?(?:가지|주제)|(?:ال)?فرع (?:ال)?فرعي|תת-?ענף
    """
)
_LEVEL = _either(
    r"""
    level|layer|tier|ebene|stufe|уровень|niveau|nivel|livello|nível|层级|层|級|级|レベル|階層|레벨
    (?:ال)?مستوى|רמה|poziom|seviye
    """
)
_MAIN_BRANCH = _either(
    r"""
    (?:main|primary) (?:branch|topic|idea)|hauptast|hauptzweig|главная ветвь|основная ветвь|rama principal
    branche principale|ramo principale?|主分支
    """
)
_NUMBER = r"(?:\d{1,3}(?:\.\d{1,3})*|[IVX]{1,5}|[A-Ha-h]|[一二三四五六七八九十])"
LEVEL_WORD = re.compile(
    rf"(?:(?P<sub>{_SUB}) ?#?(?P<sub_number>{_NUMBER})?|(?P<centre>{_CENTRE})|"
    rf"(?P<branch>{_BRANCH}) ?#?(?P<branch_number>{_NUMBER})|{_MAIN_BRANCH}|"
    rf"(?P<level>{_LEVEL}) ?(?P<level_number>\d)|第(?P<ordinal>[一二三四五])[层級级]|"
    rf"(?P<topic>{_TOPIC}))"
    r"(?: ?[(（][^()（）]{1,30}[)）])? ?(?:[:：]| [-–—] |[–—]) ?(?P<rest>.*)",
    re.IGNORECASE,
)
"""A word for the level of a node before its text: "Central Topic:", "Branch 1:", "Level 2:", "Topic:"."""

_BRANCHES = _either(
    r"""
    (?:the |key )?(?:main |primary |major |sub[ -]?|secondary )?(?:branches|sub[ -]?topics|child nodes|children)
    (?:the |key )?(?:main|primary|major) (?:nodes|topics)|(?:first|second)[- ]level (?:branches|topics)
    main ideas|haupt(?:äste|zweige|themen)|äste|zweige|unter(?:äste|zweige|themen)
    (?:основные |главные )?(?:ветви|ветки)|подтемы|подветви|branches principales|sous-branches
    ramas(?: principales)?|subramas|rami(?: principali)?|ramos(?: principais)?|主?分支|主要分支|子分支
    子主题|子主題|主な枝|(?:ال)?فروع(?: (?:ال)?رئيسية)?
    """
)
_PARTS = _either(
    r"""
    branches|sub[ -]?topics|child nodes|children|(?:unter)?(?:äste|zweige|themen)|ветви|ветки|подтемы|подветви
    ramas|subramas|rami|ramos|主?分支|子分支
    """
)
LEVEL_LINE = re.compile(
    rf"(?!{_PARTS}$)(?:{_BRANCHES}|{_LEVEL} ?\d(?: ?[(（][^()（）]{{1,30}}[)）])?) ?[:：]?$",
    re.IGNORECASE,
)
"""A line that consists of a word for the level of the next lines: "Main Branches", "Branches:".

"Branches" alone may be a node: of a tree, or of a bank."""

_VERSION = _either(
    rf"""
    version|versión|option|alternative|variante?|draft|entwurf|möglichkeit|вариант|версия|opción|propuesta|proposition
    opzione|versione|opção|versão|wersja|opcja|方案|版本|选项|選項|案|バージョン|パターン|버전|옵션|{_MAP}
    """
)
VERSION_LINE = re.compile(
    rf"^(?P<sign>#{{1,6}} |\*\*|__|(?=[^\n:：]{{1,80}}[:：]))(?:\*\*|__)?(?:{SYMBOL}{{1,6}} ?)?(?P<title>"
    rf"(?:{_VERSION} ?#?(?P<number>[1-9]|[A-Ea-e]|[一二三四五]|I{{1,3}})(?![\w.])|"
    r"\w{3,20} (?:version|variante|версия|versión|versione|versão)(?![^:：*_\n])|"
    r"(?:简|精简|完整|详细|详)版本?(?![^:：*_\n]))[^\n:：]*+(?P<heading>[^\n]*+))$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line above one of several maps that a model offers: "Version A", "Option 2: by type"."""

ALTERNATIVE_LINE = re.compile(
    r"^(?:alternativ\w{0,4}|oder (?:so|ausführlicher|kürzer)|(?:или|вот) (?:другой|ещё|более)|另一|或者|"
    r"(?:and |or )?here(?:['’]s| is) (?:another|an? (?:second|alternative|more|short|longer|detailed)))"
    r"[^\n:：]*+[:：][*_ ]*+$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line between two maps: "Alternatively, here is a longer one:"."""

_COPIED = _either(
    r"""
    copy(?: code)?|code kopieren|копировать(?: код)?|copier(?: le code)?|copiar(?: código)?|复制代码
    複製程式碼|コードをコピーする|코드 복사|download|edit|mermaid|markdown|plaintext|json|text|css|yaml
    plantuml|chatgpt(?: said)?:?|claude:?|gemini:?|assistant:?
    \d+ director(?:y|ies)(?:, \d+ files?)?
    """
)
COPIED = re.compile(rf"{_COPIED}$", re.IGNORECASE)
"""Lines that are copied along with a block of code, or that ``tree`` adds to a drawing."""
