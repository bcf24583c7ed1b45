//! The keywords of the text form in three languages.

/// A language of keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Ukrainian.
    Ukrainian,
    /// Russian.
    Russian,
}

impl Language {
    /// All languages, in the order of the table's columns.
    pub const ALL: [Language; 3] = [Language::English, Language::Ukrainian, Language::Russian];

    /// The keyword that names it in dictionaries.
    pub fn keyword(self) -> Keyword {
        match self {
            Language::English => Keyword::English,
            Language::Ukrainian => Keyword::Ukrainian,
            Language::Russian => Keyword::Russian,
        }
    }

    /// The two-letter code used on the command line.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Ukrainian => "uk",
            Language::Russian => "ru",
        }
    }
}

macro_rules! keywords {
    ($($name:ident $en:literal $uk:literal $ru:literal;)*) => {
        /// A keyword: one or several words that stand together.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Keyword { $(#[doc = $en] $name,)* }

        impl Keyword {
            /// Every keyword, in the order of the table.
            pub const ALL: &'static [Keyword] = &[$(Keyword::$name,)*];

            /// The spellings in each language, separated by `|`, the printed one first.
            const fn columns(self) -> [&'static str; 3] {
                match self { $(Keyword::$name => [$en, $uk, $ru],)* }
            }

            /// The keyword that patterns of the table of constructs call `@name`.
            pub fn named(name: &str) -> Option<Keyword> {
                match name { $(stringify!($name) => Some(Keyword::$name),)* _ => None }
            }
        }
    };
}

// One row a keyword. A cell may hold several spellings; the first is printed.
keywords! {
    Scheme        "SCHEME"           "СХЕМА"             "СХЕМА";
    EndOfScheme   "END OF SCHEME"    "КІНЕЦЬ СХЕМИ"      "КОНЕЦ СХЕМЫ";
    Data          "DATA"             "ДАНІ"              "ДАННЫЕ";
    EndOfData     "END OF DATA"      "КІНЕЦЬ ДАНИХ"      "КОНЕЦ ДАННЫХ";
    Input         "INPUT"            "ВХІД"              "ВХОД";
    Output        "OUTPUT"           "ВИХІД"             "ВЫХОД";
    DefaultInput  "DEFAULT INPUT"    "ТИПОВИЙ ВХІД"      "ТИПОВОЙ ВХОД";
    Basic         "BASIC"            "БАЗИСНИЙ"          "БАЗИСНЫЙ";
    EndOfBasic    "END OF BASIC"     "КІНЕЦЬ БАЗИСНОГО"  "КОНЕЦ БАЗИСНОГО";
    Reads         "READS"            "ЧИТАЄ"             "ЧИТАЕТ";
    Writes        "WRITES"           "ПИШЕ"              "ПИШЕТ";
    Means         "MEANS"            "ОЗНАЧАЄ"           "ОЗНАЧАЕТ";
    Sign          "SIGN"             "ЗНАК"              "ЗНАК";
    Latex         "LATEX"            "LATEX"             "LATEX";
    Code          "CODE"             "КОД"               "КОД";
    Work          "WORK"             "РОБОТА"            "РАБОТА";
    Check         "CHECK"            "ПЕРЕВІРКА"         "ПРОВЕРКА";
    Assume        "ASSUME"           "ПРИПУСТИТИ"        "ПРЕДПОЛОЖИТЬ";
    Use           "USE"              "ВИКОРИСТАТИ"       "ИСПОЛЬЗОВАТЬ";
    GivenIf       "GIVEN IF"         "ЗАДАНО ЯКЩО"       "ЗАДАНО ЕСЛИ";
    GivenFor      "GIVEN FOR"        "ЗАДАНО ДЛЯ"        "ЗАДАНО ДЛЯ";
    GivenThat     "GIVEN THAT"       "ЗАДАНО ЩО"         "ЗАДАНО ЧТО";
    EndOfGiven    "END GIVEN"        "КІНЕЦЬ ЗАДАНОГО"   "КОНЕЦ ЗАДАННОГО";
    Given         "GIVEN"            "ЗАДАНО"            "ЗАДАНО";
    Freely        "FREELY"           "ДОВІЛЬНО"          "ПРОИЗВОЛЬНО";
    Graph         "GRAPH"            "ГРАФ"              "ГРАФ";
    EndOfGraph    "END OF GRAPH"     "КІНЕЦЬ ГРАФА"      "КОНЕЦ ГРАФА";
    Next          "NEXT"             "ДАЛІ"              "ДАЛЕЕ";
    Stop          "STOP"             "СТОП"              "СТОП";
    Dictionary    "DICTIONARY"       "СЛОВНИК"           "СЛОВАРЬ";
    English       "EN"               "АНГЛ"              "АНГЛ";
    Ukrainian     "UK"               "УКР"               "УКР";
    Russian       "RU"               "РОС"               "РУС";
    Where         "WHERE"            "ДЕ"                "ГДЕ";
    If            "IF"               "ЯКЩО"              "ЕСЛИ";
    IfThen        "THEN"             "ТО"                "ТО";
    Else          "ELSE"             "ІНАКШЕ"            "ИНАЧЕ";
    EndIf         "END IF"           "КІНЕЦЬ ЯКЩО"       "КОНЕЦ ЕСЛИ";
    While         "WHILE"            "ПОКИ"              "ПОКА";
    For           "FOR"              "ДЛЯ"               "ДЛЯ";
    From          "FROM"             "ВІД"               "ОТ";
    To            "TO"               "ДО"                "ДО";
    Step          "STEP"             "КРОК"              "ШАГ";
    Loop          "LOOP"             "ЦИКЛ"              "ЦИКЛ";
    EndOfLoop     "END OF LOOP"      "КІНЕЦЬ ЦИКЛУ"      "КОНЕЦ ЦИКЛА";
    Then          "THEN"             "ЗАТЕМ|ПОТІМ"       "ЗАТЕМ";
    Parallel      "PARALLEL"         "ПАРАЛЕЛЬНО"        "ПАРАЛЛЕЛЬНО";
    Lanes         "LANES"            "СМУГИ"             "ПОЛОСЫ";
    ControlPoint  "CONTROL POINT"    "КОНТРОЛЬНА ТОЧКА"  "КОНТРОЛЬНАЯ ТОЧКА";
    Wait          "WAIT"             "ЧЕКАТИ"            "ЖДАТЬ";
    Filter        "FILTER"           "ФІЛЬТР"            "ФИЛЬТР";
    Empty         "EMPTY"            "ПУСТО"             "ПУСТО";
    Undefined     "UNDEFINED"        "НЕВИЗНАЧЕНО"       "НЕОПРЕДЕЛЕНО";
    Local         "LOCAL"            "ЛОКАЛЬНО"          "ЛОКАЛЬНО";
    Array         "ARRAY"            "МАСИВ"             "МАССИВ";
    In            "IN"               "В"                 "В";
    Of            "OF"               "ІЗ"                "ИЗ";
    Timed         "TIMED"            "З ВИМІРОМ ЧАСУ"    "С ЗАМЕРОМ ВРЕМЕНИ";
    Recorded      "RECORDED"         "ЗАПИСАНО"          "ЗАПИСАНО";
    Report        "REPORT"           "ЗВІТ"              "ОТЧЁТ|ОТЧЕТ";
    Save          "SAVE"             "ЗБЕРЕГТИ"          "СОХРАНИТЬ";
    Atomic        "ATOMIC"           "АТОМАРНО"          "АТОМАРНО";
    Was           "WAS"              "БУЛО"              "БЫЛО";
    RunKernel     "RunKernel"        "ЗапускЯдра"        "ЗапускЯдра";
    Shared        "SHARED"           "СПІЛЬНО"           "ОБЩЕЕ";
    Registers     "REGISTERS"        "РЕГІСТРИ"          "РЕГИСТРЫ";
    Rotate        "ROTATE"           "ОБЕРНУТИ"          "ПОВЕРНУТЬ";
    SumOverWarp   "SUM OVER WARP"    "СУМА ПО ВАРПУ"     "СУММА ПО ВАРПУ";
    MinOverWarp   "MINIMUM OVER WARP" "МІНІМУМ ПО ВАРПУ"  "МИНИМУМ ПО ВАРПУ";
    MaxOverWarp   "MAXIMUM OVER WARP" "МАКСИМУМ ПО ВАРПУ" "МАКСИМУМ ПО ВАРПУ";
    Barrier       "BARRIER"          "БАРʼЄР|БАРЄР" "БАРЬЕР";
    After         "AFTER"            "ПІСЛЯ"             "ПОСЛЕ";
    Not           "NOT"              "НЕ"                "НЕ";
    And           "AND"              "І|ТА"              "И";
    Or            "OR"               "АБО"               "ИЛИ";
    Mod           "MOD"              "MOD"               "MOD";
    True          "TRUE"             "ІСТИНА"            "ИСТИНА";
    False         "FALSE"            "ХИБНІСТЬ"          "ЛОЖЬ";
}

impl Keyword {
    /// The spelling that is printed.
    pub fn text(self, language: Language) -> &'static str {
        self.spellings(language)
            .next()
            .expect("each cell holds a spelling")
    }

    /// Every spelling that is read, in one language.
    pub fn spellings(self, language: Language) -> impl Iterator<Item = &'static str> {
        self.columns()[language as usize].split('|')
    }

    /// Every spelling that is read, in any language.
    pub fn all_spellings(self) -> impl Iterator<Item = &'static str> {
        Language::ALL
            .into_iter()
            .flat_map(move |l| self.spellings(l))
    }
}
