import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, expectTypeOf, it, onTestFinished, test } from 'vitest'
import { command, type Program, parseCommandLine } from '../src/settings/commandLine.ts'
import {
  describeSettings,
  type Environment,
  parseAddress,
  parseBoolean,
  parseInteger,
  parseOptionalAddress,
  parseText,
  pickSettings,
  type Settings,
  UsageError
} from '../src/settings/index.ts'

const settings = {
  publicUrl: {
    help: 'An address, such as https://flags.example.com.',
    parse: (text: string) => (text === '' || URL.canParse(text) ? text : undefined)
  },
  port: { help: 'A port.', default: '8080', placeholder: 'number', parse: parseInteger(0, 65535) },
  store: { help: 'Where data are kept.', default: 'memory:', parse: parseText },
  noKeys: { help: 'Shows no keys.', kind: 'switch', parse: parseBoolean },
  secret: {
    help: 'A secret without spaces.',
    flag: false,
    isSecret: true,
    parse: (text: string) => {
      if (text.includes(' ')) throw new Error(`${text} has a space`)
      if (text === 'short') throw new UsageError('it is too short')
      return text
    }
  },
  networks: {
    help: 'Networks, such as 10.0.0.0/8.',
    variable: 'NETWORKS',
    parse: (text: string) => {
      if (text.includes('!')) throw new Error('"!" is no network')
      return text.split(',').filter(Boolean)
    }
  },
  token: { help: 'A token.', default: 'none', ignoresEmpty: true, variable: 'SHARED_TOKEN', parse: parseText }
} as const satisfies Settings

interface Ran {
  readonly name: string
  readonly arguments: readonly string[]
  readonly settings: unknown
}

const add = command({
  name: 'users add',
  summary: 'Add a person.',
  arguments: ['<email>'],
  settings: {
    ...pickSettings(settings, 'store'),
    role: {
      help: 'A role.',
      kind: 'list',
      parse: (text: string) => (text === 'owner' ? ('owner' as const) : undefined)
    },
    json: { help: 'Print JSON.', kind: 'switch', variable: false, parse: parseBoolean }
  },
  details: 'Roles apply to every project.',
  run: async (given, record: (ran: Ran) => void) => {
    expectTypeOf(given.settings.role).toEqualTypeOf<readonly 'owner'[]>()
    expectTypeOf(given.settings.json).toEqualTypeOf<boolean>()
    record({ name: 'users add', ...given })
    return 3
  }
})

const program: Program<(ran: Ran) => void> = {
  name: 'burgee-test',
  version: '1.2.3',
  prefix: 'TEST_',
  sharedPrefix: 'SHARED_',
  familyPrefix: 'FAMILY_',
  otherVariables: ['TEST_OF_ANOTHER'],
  groups: { users: 'Manage people.' },
  main: command({
    name: '',
    summary: 'Tests settings.',
    settings,
    run: async (given, record: (ran: Ran) => void) => {
      expectTypeOf(given.settings.port).toEqualTypeOf<number>()
      record({ name: '', ...given })
      return 0
    }
  }),
  commands: [
    add,
    command({
      name: 'users list',
      summary: 'List people.',
      settings: pickSettings(settings, 'store'),
      run: async () => 0
    }),
    command({ name: 'login', summary: 'Sign in.', settings: pickSettings(settings, 'publicUrl'), run: async () => 0 })
  ]
}

/** Parses and runs a command line; returns the command that ran. */
async function run(args: readonly string[], environment: Environment = {}) {
  const line = parseCommandLine(program, args, environment)
  if (line.type === 'print') throw new Error(line.text)
  const ran: Ran[] = []
  const code = await line.run((one) => ran.push(one))
  return { code, ...ran[0], warnings: line.warnings }
}

const text = (args: readonly string[]) => {
  const line = parseCommandLine(program, args, {})
  return line.type === 'print' ? line.text : undefined
}

const defaults = { publicUrl: '', port: 8080, store: 'memory:', noKeys: false, secret: '', networks: [], token: 'none' }

describe('settings', () => {
  test.each<[string, readonly string[], Environment, object]>([
    ['defaults', [], {}, {}],
    ['a flag', ['--public-url', 'http://x'], {}, { publicUrl: 'http://x' }],
    ['a flag with =', ['--port=1'], {}, { port: 1 }],
    ['a variable', [], { TEST_PUBLIC_URL: 'http://x', TEST_PORT: '1' }, { publicUrl: 'http://x', port: 1 }],
    ['a flag before its variable', ['--port', '2'], { TEST_PORT: '1' }, { port: 2 }],
    ['a switch', ['--no-keys'], {}, { noKeys: true }],
    ['a switch that a variable turns on', [], { TEST_NO_KEYS: 'true' }, { noKeys: true }],
    ['a switch that a variable turns off', [], { TEST_NO_KEYS: '0' }, { noKeys: false }],
    ['a secret, which has no flag', [], { TEST_SECRET: 's3cret' }, { secret: 's3cret' }],
    ['an empty variable as unset', [], { TEST_PORT: '', TEST_STORE: '', TEST_NO_KEYS: '' }, {}],
    ['a variable of another name', [], { NETWORKS: 'a,b' }, { networks: ['a', 'b'] }],
    ['an empty text of a setting that accepts it', ['--store', ''], {}, { store: '' }],
    ['an empty text of a setting that ignores it', ['--token', ''], { SHARED_TOKEN: 'x' }, { token: 'x' }],
    ['no variables without the prefix', [], { HOME: '/nowhere' }, {}]
  ])('reads %s', async (_, args, environment, expected) => {
    expect((await run(args, environment)).settings).toEqual({ ...defaults, ...expected })
  })

  test.each<[readonly string[], Environment, string]>([
    [['--port', '65536'], {}, '--port cannot be "65536". A port.'],
    [['--port', '-1'], {}, '--port cannot be "-1". A port.'],
    [[], { TEST_PORT: 'x' }, 'TEST_PORT cannot be "x". A port.'],
    [['--port', 'http://me:pw@a:1'], {}, '--port cannot be "http://<credentials>@a:1". A port.'],
    [[], { TEST_NO_KEYS: 'yes' }, 'TEST_NO_KEYS cannot be "yes": it should be true or false. Shows no keys.'],
    [['--no-keys=true'], {}, '--no-keys takes no value; TEST_NO_KEYS takes true or false. See burgee-test --help'],
    [['users', 'add', 'a', '--json=1'], {}, '--json takes no value. See burgee-test users add --help'],
    [
      ['--no-keys', 'false'],
      {},
      "unknown command 'false': flags without <…> in the help take no value. See burgee-test --help"
    ],
    [['--hlep'], {}, "unknown option '--hlep' (did you mean --help?). See burgee-test --help"],
    [[], { TEST_SECRET: 'a b' }, 'TEST_SECRET cannot be the given text. A secret without spaces.'],
    [[], { TEST_SECRET: 'short' }, 'TEST_SECRET cannot be the given text: it is too short. A secret without spaces.'],
    [['--networks', 'a!'], {}, '--networks cannot be "a!": "!" is no network. Networks, such as 10.0.0.0/8.'],
    [['--prot', '1'], {}, "unknown option '--prot' (did you mean --port?). See burgee-test --help"],
    [['--prot=1'], {}, "unknown option '--prot=1' (did you mean --port?). See burgee-test --help"],
    [['--nonsense'], {}, "unknown option '--nonsense'. See burgee-test --help"],
    [['--secret', 'x'], {}, "unknown option '--secret'. See burgee-test --help"],
    [['--port'], {}, "option '--port <number>' argument missing. See burgee-test --help"],
    [['lgoin'], {}, "unknown command 'lgoin' (did you mean login?). See burgee-test --help"],
    [['1'], {}, "unknown command '1'. See burgee-test --help"],
    [['users'], {}, 'users needs a command: add, list. See burgee-test users --help'],
    [['users', 'ad'], {}, "unknown command 'ad' (did you mean add?). See burgee-test users --help"],
    [['users', 'add'], {}, "missing required argument 'email'. See burgee-test users add --help"],
    [
      ['users', 'add', 'a', 'b'],
      {},
      "too many arguments for 'add'. Expected 1 argument but got 2. See burgee-test users add --help"
    ],
    [
      ['users', 'add', 'a', '--rol', 'x'],
      {},
      "unknown option '--rol' (did you mean --role?). See burgee-test users add --help"
    ],
    [['users', 'add', 'a', '--role', 'king'], {}, '--role cannot be "king". A role.'],
    [['--port', '1', 'login'], {}, 'burgee-test login does not take --port. See burgee-test login --help'],
    [['login', '--port', '1'], {}, "unknown option '--port'. See burgee-test login --help"]
  ])('refuses %j with %j', (args, environment, message) => {
    expect(() => parseCommandLine(program, args, environment)).toThrow(new UsageError(message))
  })

  describe('a secret in a file', () => {
    const write = async (text: string) => {
      const path = join(await mkdtemp(join(tmpdir(), 'burgee-settings-')), 'secret')
      onTestFinished(() => rm(dirname(path), { recursive: true }))
      await writeFile(path, text)
      return path
    }

    test.each(['s3cret', 's3cret\n', 's3cret\r\n'])('is read without the newline at the end: %j', async (text) => {
      const { settings, warnings } = await run([], { TEST_SECRET_FILE: await write(text) })
      expect([settings, warnings]).toEqual([{ ...defaults, secret: 's3cret' }, []])
    })

    it('is ignored if the variable is empty', async () => {
      expect((await run([], { TEST_SECRET_FILE: '', TEST_SECRET: 'x' })).settings).toMatchObject({ secret: 'x' })
    })

    it('is read if the other variable is empty', async () => {
      const environment = { TEST_SECRET_FILE: await write('x'), TEST_SECRET: '' }
      expect((await run([], environment)).settings).toMatchObject({ secret: 'x' })
    })

    it('is refused with the reason', async () => {
      const [spaced, empty] = [await write('a b'), await write('\n')]
      const cases: [Environment, string | RegExp][] = [
        [{ TEST_SECRET: 'x', TEST_SECRET_FILE: spaced }, 'set either TEST_SECRET or TEST_SECRET_FILE, not both'],
        [{ TEST_SECRET_FILE: '/nowhere' }, /^the file of TEST_SECRET_FILE cannot be read: ENOENT/],
        [{ TEST_SECRET_FILE: empty }, /^the file of TEST_SECRET_FILE is empty: .* should contain the secret$/],
        [
          { TEST_SECRET_FILE: spaced },
          'the content of TEST_SECRET_FILE cannot be the given text. A secret without spaces.'
        ]
      ]
      for (const [environment, message] of cases) {
        expect(() => parseCommandLine(program, [], environment)).toThrow(UsageError)
        expect(() => parseCommandLine(program, [], environment)).toThrow(message)
      }
    })
  })

  test.each<[Environment, readonly string[]]>([
    [{ TEST_PORT: '1', TEST_OF_ANOTHER: '', OTHER: '' }, []],
    [{ TEST_PROT: '1' }, ['TEST_PROT is not a setting (did you mean TEST_PORT?)']],
    [{ NETWROKS: '1' }, []],
    [{ SHARED_TOKNE: '1', SHARED_ADDRESS: '1' }, ['SHARED_TOKNE is not a setting (did you mean SHARED_TOKEN?)']],
    [{ FAMILY_OF_ANOTHER: 'x', FAMILY_: 'x' }, []],
    [{ FAMILY_URL: 'x' }, ['FAMILY_URL is not a setting (did you mean TEST_PUBLIC_URL?)']],
    [{ FAMILY_TOKEN: 'x' }, ['FAMILY_TOKEN is not a setting (did you mean SHARED_TOKEN?)']],
    [{ TEST_PROT: '' }, []],
    [{ TEST_PUBLIC_ADDRESS_OF_IT: '1' }, ['TEST_PUBLIC_ADDRESS_OF_IT is not a setting']],
    // Names resemble each other in more than their prefix.
    [{ TEST_FOOT: '1' }, ['TEST_FOOT is not a setting']]
  ])('warns about variables that are not settings: %j', async (environment, warnings) => {
    expect((await run([], environment)).warnings).toEqual(warnings)
  })

  it('describeSettings lists flags, variables and defaults', () => {
    expect(describeSettings(settings, 'TEST_').slice(0, 2)).toEqual([
      {
        name: 'publicUrl',
        flag: '--public-url',
        variable: 'TEST_PUBLIC_URL',
        default: '',
        help: 'An address, such as https://flags.example.com.'
      },
      { name: 'port', flag: '--port', variable: 'TEST_PORT', default: '8080', help: 'A port.' }
    ])
  })
})

describe('commands', () => {
  test.each<[readonly string[], Environment, readonly string[], object]>([
    [['users', 'add', 'ada@x'], {}, ['ada@x'], { store: 'memory:', role: [], json: false }],
    [['--store', 'file:a', 'users', 'add', 'b'], {}, ['b'], { store: 'file:a', role: [], json: false }],
    [
      ['users', 'add', '--store', 'file:a', 'b'],
      { TEST_STORE: 'c' },
      ['b'],
      { store: 'file:a', role: [], json: false }
    ],
    [['users', 'add', 'b'], { TEST_STORE: 'c' }, ['b'], { store: 'c', role: [], json: false }],
    [
      ['users', 'add', 'b', '--role', 'owner', '--role', 'owner', '--json'],
      { TEST_JSON: '0', TEST_ROLE: 'king' },
      ['b'],
      { store: 'memory:', role: ['owner', 'owner'], json: true }
    ]
  ])('%j with %j', async (args, environment, positionals, expected) => {
    const { code, arguments: given, settings } = await run(args, environment)
    expect([code, given, settings]).toEqual([3, positionals, expected])
  })
})

describe('help', () => {
  it.each(['--help', '-h'])('lists commands, flags and variables (%s)', (flag) => {
    const help = text([flag]) ?? ''
    expect(help).toMatch(/^Usage: burgee-test \[options\] \[command\]/)
    expect(help).toMatch(/--port <number> +A port\. \(default: 8080, env: TEST_PORT\)/)
    expect(help).toMatch(/\n {2}login .* Sign in\./)
    expect(help).toMatch(/\n {2}users +Manage people\./)
    expect(help).toContain('\nFlags without <…> take no value; their variables take true or false.\n')
    expect(help).toMatch(
      /Environment:\n {2}TEST_SECRET\n {4}A secret without spaces\.\n\nSecrets can be in files\. .*:\n {2}TEST_SECRET_FILE$/
    )
  })

  it.each([[['help']], [['help', 'users', 'add']], [['help', 'users']]])(
    'is printed for %j, too',
    ([first, ...words]) => {
      expect(first).toBe('help')
      expect(text(['help', ...words])).toBe(text([...words, '--help']))
    }
  )

  it('lists the arguments and flags of a command', () => {
    const help = text(['users', 'add', '--help'])
    expect(help).toMatch(/^Usage: burgee-test users add \[options\] <email>\n\nAdd a person\./)
    expect(help).toMatch(/--role <text>.*--json .*Roles apply to every project\.$/s)
    expect(help).not.toContain('--port')
  })

  it('lists the commands of a group', () => {
    expect(text(['users', '--help'])).toMatch(/Manage people\..*add .* Add a person\.\n +list .* List people\./s)
  })

  it('prints the version for --version', () => {
    expect(text(['--version'])).toBe('1.2.3')
  })
})

describe('addresses', () => {
  test.each([
    ['https://flags.example.com', 'https://flags.example.com'],
    ['HTTP://flags.example.com:8080/path//', 'http://flags.example.com:8080/path'],
    ['https://name:secret@flags.example.com', undefined],
    ['https://flags.example.com?page=1', undefined],
    ['https://flags.example.com#top', undefined],
    ['ftp://flags.example.com', undefined],
    ['flags.example.com', undefined],
    ['', undefined]
  ])('of %j are read as %j', (text, address) => {
    expect(parseAddress(text)).toBe(address)
    expect(parseOptionalAddress(text)).toBe(text === '' ? '' : address)
  })
})
