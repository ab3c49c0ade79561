/** How a language other than JavaScript and TypeScript reads variables. */
export interface Language {
  readonly name: string
  readonly endings: readonly string[]
  readonly comments: readonly ('slashes' | 'hash' | 'block' | 'docStrings' | 'dashes')[]
  /** The quotes of texts. In some languages, single quotes are for one character. */
  readonly quotes: readonly ('"' | "'" | '`' | '"""')[]
  /** What precedes the key in a call, as a regular expression. */
  readonly calls: readonly LanguageCall[]
  /** Matches an import of the OpenFeature SDK. */
  readonly openFeature?: RegExp
}

interface LanguageCall {
  readonly before: string
  /** Whether other libraries have functions of this name, too: only keys of the project count. */
  readonly isCommon?: boolean
  /** Whether OpenFeature clients have this method. */
  readonly isOpenFeature?: boolean
}

/** An argument before the key: a name, a member, or a call without nested parentheses. */
const ARGUMENT = String.raw`[$@&\w.:>?!-]+(?:\([^()]*\))?\s*,\s*`

const camelCase: readonly LanguageCall[] = [
  {
    before: String.raw`\bget(?:Boolean|String|Integer|Int|Long|Float|Double|Number|Object)(?:Value|Details)\(\s*`,
    isOpenFeature: true
  },
  { before: String.raw`\bvariableValue\(\s*(?:${ARGUMENT})?` },
  { before: String.raw`\bvariable\(\s*(?:${ARGUMENT})?`, isCommon: true }
]

const snakeCase: readonly LanguageCall[] = [
  { before: String.raw`\bvariable_value\(\s*(?:${ARGUMENT})?` },
  { before: String.raw`\bvariable\(\s*(?:${ARGUMENT})?`, isCommon: true }
]

/** The languages that are searched by patterns. */
export const languages: readonly Language[] = [
  {
    name: 'python',
    endings: ['py'],
    comments: ['hash', 'docStrings'],
    quotes: ['"', "'"],
    calls: [
      {
        before: String.raw`\bget_(?:boolean|string|integer|float|object)_(?:value|details)(?:_async)?\(\s*(?:flag_key\s*=\s*)?`,
        isOpenFeature: true
      },
      ...snakeCase
    ],
    openFeature: /^\s*(?:from|import)\s+openfeature\b/m
  },
  {
    name: 'go',
    endings: ['go'],
    comments: ['slashes', 'block'],
    quotes: ['"', '`'],
    calls: [
      {
        before: String.raw`\.(?:Boolean|String|Int|Float|Object)(?:Value|ValueDetails)?\(\s*${ARGUMENT}`,
        isOpenFeature: true
      },
      { before: String.raw`\.VariableValue\(\s*${ARGUMENT}` },
      { before: String.raw`\.Variable\(\s*${ARGUMENT}`, isCommon: true }
    ],
    openFeature: /^\s*(?:import\s+)?(?:[\w.]+\s+)?"github\.com\/open-feature\/go-sdk[\w./-]*"/m
  },
  {
    name: 'java',
    endings: ['java'],
    comments: ['slashes', 'block'],
    quotes: ['"""', '"'],
    calls: camelCase,
    openFeature: /^\s*import\s+(?:static\s+)?dev\.openfeature\./m
  },
  { name: 'kotlin', endings: ['kt', 'kts'], comments: ['slashes', 'block'], quotes: ['"""', '"'], calls: camelCase },
  {
    name: 'csharp',
    endings: ['cs'],
    comments: ['slashes', 'block'],
    quotes: ['"'],
    calls: [
      {
        before: String.raw`\bGet(?:Boolean|String|Integer|Double|Object)(?:Value|Details)(?:Async)?\(\s*(?:flagKey:\s*)?`
      },
      { before: String.raw`\bVariableValue(?:Async)?\(\s*(?:${ARGUMENT})?` },
      { before: String.raw`\bVariable(?:Async)?(?:<[\w<>?]+>)?\(\s*(?:${ARGUMENT})?`, isCommon: true }
    ]
  },
  {
    name: 'ruby',
    endings: ['rb', 'rake'],
    comments: ['hash'],
    quotes: ['"', "'"],
    calls: [
      {
        before: String.raw`\bfetch_(?:boolean|string|number|integer|float|object)_(?:value|details)[( ]\s*flag_key:\s*`
      },
      ...snakeCase
    ]
  },
  { name: 'php', endings: ['php'], comments: ['slashes', 'hash', 'block'], quotes: ['"', "'"], calls: camelCase },
  {
    name: 'swift',
    endings: ['swift'],
    comments: ['slashes', 'block'],
    quotes: ['"""', '"'],
    calls: [
      {
        before: String.raw`\bget(?:Boolean|String|Integer|Double|Object)?(?:Value|Details)\(\s*key:\s*`
      },
      { before: String.raw`\bvariableValue\(\s*key:\s*` },
      { before: String.raw`\bvariable\(\s*key:\s*`, isCommon: true }
    ]
  },
  { name: 'dart', endings: ['dart'], comments: ['slashes', 'block'], quotes: ['"', "'"], calls: camelCase },
  {
    name: 'rust',
    endings: ['rs'],
    comments: ['slashes', 'block'],
    quotes: ['"'],
    calls: [
      {
        before: String.raw`\bget_(?:bool|string|int|float|struct)_(?:value|details)(?:::<[\w:<>]+>)?\(\s*`
      },
      ...snakeCase
    ]
  },
  {
    name: 'elixir',
    endings: ['ex', 'exs'],
    comments: ['hash'],
    quotes: ['"'],
    calls: [
      { before: String.raw`\bget_(?:boolean|string|number|map)_(?:value|details)\(\s*(?:${ARGUMENT})?` },
      ...snakeCase
    ]
  }
]

const byEnding = new Map(languages.flatMap((language) => language.endings.map((ending) => [ending, language] as const)))

/** Returns the language of a file that is searched by patterns. */
export function languageOf(file: string): Language | undefined {
  return byEnding.get(file.slice(file.lastIndexOf('.') + 1))
}
