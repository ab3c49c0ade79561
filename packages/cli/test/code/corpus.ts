/** A generated file, with the keys that it reads. */
export interface CorpusFile {
  readonly file: string
  readonly text: string
  /** The keys, in the order of the text. */
  readonly keys: readonly string[]
  /** The number of reads whose key is only known at run time. */
  readonly dynamic: number
}

/**
 * Generates files with known reads, and with what looks like reads and is none. With `isHard`, some reads go through
 * functions that the scan does not know, and other libraries have methods with the names of the SDK.
 */
export function generateCorpus(count: number, seed: number, { isHard = false } = {}): readonly CorpusFile[] {
  const random = createRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  return Array.from({ length: count }, (_, index) => {
    const kind = pick(kinds)
    const keys: string[] = []
    let dynamic = 0
    const parts = Array.from({ length: 1 + Math.floor(random() * 8) }, (_part, at) => {
      const key = `${pick(nouns)}-${index}-${at}`
      const roll = random()
      if (isHard && kind.hard) {
        const hard = random()
        if (hard < 0.03) return kind.hard.decoy(key, at)
        if (hard < 0.06) {
          keys.push(key)
          return pick(kind.hard.reads)(key, at)
        }
      }
      if (roll < 0.35) return pick([...kind.decoys, () => 'x'.repeat(3)])(key, at)
      if (roll < 0.42 && kind.dynamic.length > 0) {
        dynamic += 1
        return pick(kind.dynamic)(key, at)
      }
      keys.push(key)
      return pick(kind.reads)(key, at)
    })
    return {
      file: `src/module${index}.${kind.ending}`,
      text: [kind.head, ...parts, kind.tail].join('\n'),
      keys,
      dynamic
    }
  })
}

const nouns = ['new-checkout', 'search_box', 'price.label', 'dark-mode', 'beta']

type Part = (key: string, at: number) => string

interface Kind {
  readonly ending: string
  readonly head: string
  readonly tail: string
  readonly reads: readonly Part[]
  readonly decoys: readonly Part[]
  readonly dynamic: readonly Part[]
  /** A method of another library with the same name as an SDK method, and reads through unknown functions. */
  readonly hard?: { readonly decoy: Part; readonly reads: readonly Part[] }
}

const scriptDecoys: readonly Part[] = [
  (key) => `// flags.getBooleanValue('${key}', false)`,
  (key) => `/* flags.getStringValue('${key}', '') */`,
  (key) => `log("flags.getBooleanValue('${key}', false)")`,
  (key) => `cache.get('${key}'); Promise.resolve('${key}')`,
  (key) => `theme.variable('${key}', 1)`,
  (key, at) => `const text${at} = \`getBooleanValue('${key}')\``,
  (key) => `emit('${key}', { key: '${key}' })`
]

const scriptDynamic: readonly Part[] = [
  (_, at) => `for (const name of names) flags.getBooleanValue(name, ${at} > 1)`,
  () => `flags.getStringValue(\`color-\${tenant}\`, "")`
]

const hardScript: Kind['hard'] = {
  decoy: (key) => `config.getStringValue('${key}')`,
  reads: [
    (key) => `isEnabled('${key}')`,
    (key, at) => `const get${at} = flags.getBooleanValue.bind(flags); get${at}('${key}', false)`
  ]
}

const server: Kind = {
  ending: 'ts',
  head: "import { OpenFeature, type Client } from '@openfeature/server-sdk'\nconst flags = OpenFeature.getClient('shop')\nexport async function run(user: User, names: string[], tenant: string) {",
  tail: '}',
  reads: [
    (key) => `if (await flags.getBooleanValue('${key}', false, user)) start()`,
    (key, at) => `const details${at} = await flags.getStringDetails(\n  "${key}",\n  ''\n)`,
    (key, at) => `const KEY_${at} = '${key}' as const\nawait flags.getNumberValue(KEY_${at}, 1)`,
    (key, at) =>
      `const KEYS_${at} = { inner: { key: \`${key}\` } } as const\nflags.getObjectValue<Theme>(KEYS_${at}.inner.key, {})`,
    (key, at) => `enum Key${at} { Own = '${key}' }\nreturn flags?.getBooleanValue(Key${at}.Own, true)`,
    (key, at) =>
      `const { value: value${at} } = await OpenFeature.getClient().getBooleanDetails(('${key}' as Keys)!, false)`
  ],
  decoys: scriptDecoys,
  dynamic: scriptDynamic,
  hard: hardScript
}

const component: Kind = {
  ending: 'tsx',
  head: "import { FeatureFlag, useBooleanFlagValue, useFlag, useStringFlagDetails } from '@openfeature/react-sdk'\nexport function Page() {",
  tail: 'return null }',
  reads: [
    (key, at) => `const on${at} = useBooleanFlagValue('${key}', false)`,
    (key, at) => `const flag${at} = useFlag('${key}', 'red')`,
    (key, at) => `const { value: text${at} } = useStringFlagDetails('${key}', '')`,
    (key, at) => `const part${at} = <FeatureFlag flagKey="${key}" fallback={<p>no</p>}><New /></FeatureFlag>`,
    (key, at) => `const other${at} = <FeatureFlag flagKey={'${key}'} />`
  ],
  decoys: [
    (key, at) => `const label${at} = <p title="${key}">useFlag('${key}')</p>`,
    (key, at) => `const item${at} = <Feature flagKey="${key}" />`,
    (key) => `// useFlag('${key}', 1)`
  ],
  dynamic: [(_, at) => `const any${at} = useBooleanFlagValue(props.flag, false)`],
  hard: hardScript
}

const sdk: Kind = {
  ending: 'mjs',
  head: "import { initializeDevCycle } from '@devcycle/nodejs-server-sdk'\nconst client = await initializeDevCycle(key).onClientInitialized()",
  tail: '',
  reads: [
    (key) => `client.variableValue(user, '${key}', false)`,
    (key) => `client.variable({ user_id: 'ada' }, '${key}', 1).value`,
    (key, at) => `const key${at} = '${key}'; client.variableValue(user, key${at}, '')`
  ],
  decoys: scriptDecoys,
  dynamic: [],
  hard: hardScript
}

/** The client comes from a module of the application. */
const indirect: Kind = {
  ending: 'js',
  head: "const { flags } = require('./client')",
  tail: '',
  reads: [
    (key) => `if (flags.getBooleanValue('${key}', false)) start()`,
    (key) => `flags["getStringValue"]('${key}', 'x')`
  ],
  decoys: scriptDecoys,
  dynamic: scriptDynamic,
  hard: hardScript
}

const python: Kind = {
  ending: 'py',
  head: 'from openfeature import api\nclient = api.get_client()',
  tail: '',
  reads: [
    (key) => `if client.get_boolean_value("${key}", False):\n    pass`,
    (key) => `client.get_string_details(flag_key='${key}', default_value="")`,
    (key, at) => `KEY_${at} = "${key}"\nclient.get_integer_value(KEY_${at}, 1)`,
    (key) => `client.get_object_value(\n    "${key}",\n    {},\n)`
  ],
  decoys: [
    (key) => `# client.get_boolean_value("${key}", False)`,
    (key) => `"""client.get_boolean_value("${key}", False)"""`,
    (key) => `print("get_boolean_value('${key}')")`,
    (key) => `cache.get("${key}")`
  ],
  dynamic: [() => 'client.get_boolean_value(name, False)'],
  hard: {
    decoy: (key) => `settings.get_string_value("${key}", "")`,
    reads: [(key) => `is_enabled("${key}")`]
  }
}

const go: Kind = {
  ending: 'go',
  head: 'package main\nimport "github.com/open-feature/go-sdk/openfeature"\nfunc run() {',
  tail: '}',
  reads: [
    (key) => `on, _ := client.BooleanValue(ctx, "${key}", false, evalCtx)`,
    (key, at) => `const key${at} = "${key}"\nclient.StringValueDetails(context.Background(), key${at}, "", evalCtx)`,
    (key) => `value, _ := client.VariableValue(user, "${key}", true)`
  ],
  decoys: [
    (key) => `// client.BooleanValue(ctx, "${key}", false)`,
    (key) => `fmt.Println("client.BooleanValue(ctx, \\"${key}\\")")`,
    (key) => `m["${key}"] = 1 /* client.VariableValue(user, "${key}", true) */`
  ],
  dynamic: [],
  hard: {
    decoy: (key) => `settings.StringValue(ctx, "${key}", "")`,
    reads: [(key) => `isEnabled("${key}")`]
  }
}

const java: Kind = {
  ending: 'java',
  head: 'import dev.openfeature.sdk.Client;\nclass Shop { void run() {',
  tail: '} }',
  reads: [
    (key) => `boolean on = client.getBooleanValue("${key}", false);`,
    (key, at) => `final String KEY_${at} = "${key}"; client.getStringDetails(KEY_${at}, "");`,
    (key) => `client.variableValue(user, "${key}", 1);`
  ],
  decoys: [
    (key) => `// client.getBooleanValue("${key}", false);`,
    (key) => `System.out.println("getBooleanValue(\\"${key}\\")");`,
    (key) => `map.get("${key}");`
  ],
  dynamic: [() => 'client.getBooleanValue(name, false);'],
  hard: {
    decoy: (key) => `settings.getStringValue("${key}", "");`,
    reads: [(key) => `isEnabled("${key}");`]
  }
}

const ruby: Kind = {
  ending: 'rb',
  head: 'client = OpenFeature::SDK.build_client',
  tail: '',
  reads: [
    (key) => `on = client.fetch_boolean_value(flag_key: '${key}', default_value: false)`,
    (key) => `client.fetch_string_details flag_key: "${key}", default_value: ''`,
    (key) => `client.variable_value(user, '${key}', 1)`
  ],
  decoys: [
    (key) => `# client.fetch_boolean_value(flag_key: '${key}')`,
    (key) => `puts "fetch_boolean_value(flag_key: '${key}')"`
  ],
  dynamic: []
}

const kinds: readonly Kind[] = [server, server, component, component, sdk, indirect, python, go, java, ruby]

/** A generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
