import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const source = resolve(import.meta.dirname, '../src')

/** The modules that a module loads, itself included. */
function modulesOf(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found
  found.add(file)
  const statements = readFileSync(file, 'utf8').match(/^(?:import|export) (?!type )[^']*? from '\.[^']+'/gm) ?? []
  for (const statement of statements) {
    const [, specifier = ''] = /'([^']+)'$/.exec(statement) ?? []
    modulesOf(resolve(dirname(file), specifier), found)
  }
  return found
}

/** The names that an entry exports. */
function namesOf(entry: string): readonly string[] {
  const text = readFileSync(resolve(source, entry), 'utf8')
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','))
  const own = [...text.matchAll(/^export (?:async )?(?:function|const|interface|type|class) (\w+)/gm)]
  return [...lists.map((name) => name.trim().replace(/^type /, '')), ...own.map(([, name = '']) => name)]
}

const entries = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry.default.replace('./dist/', '').replace('.js', '.ts')]
)

const formEntries = entries.filter((entry) => entry.startsWith('schema/'))

test('every name is exported by one entry, but for rules that pages need without the schemas', () => {
  const others = entries.filter((entry) => !formEntries.includes(entry))
  expect(others).toEqual(['index.ts', 'access.ts', 'client.ts', 'openapi.ts', 'rules.ts', 'schemas.ts', 'words.ts'])
  const names = others.flatMap(namesOf)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([
    'permissions',
    'permissionsOfRole',
    'roles',
    'isProtected'
  ])
})

test.each(formEntries)('%s loads neither operations nor all schemas', (entry) => {
  const loaded = modulesOf(resolve(source, entry))
  for (const other of ['operations.ts', 'schemas.ts']) expect([...loaded]).not.toContain(resolve(source, other))
})

test('README.md imports only what the entries export', () => {
  const readme = readFileSync(resolve(source, '../README.md'), 'utf8')
  const imports = [...readme.matchAll(/^import \{([^}]*)\} from '@burgee\/contract\/?([\w/]*)'$/gm)]
  expect(imports.length).toBeGreaterThan(2)
  for (const [, names = '', subpath] of imports) {
    const wanted = names.split(',').map((name) => name.trim().replace(/^type /, ''))
    expect(namesOf(`${subpath || 'index'}.ts`)).toEqual(expect.arrayContaining(wanted))
  }
})

test.each(['index.ts', 'client.ts', 'schemas.ts'])('%s does not load the OpenAPI generator', (entry) => {
  const loaded = modulesOf(resolve(source, entry))
  expect(loaded.size).toBeGreaterThan(10)
  expect([...loaded]).not.toContain(resolve(source, 'openapi.ts'))
})

test('schemas.ts loads no operations', () => {
  expect([...modulesOf(resolve(source, 'schemas.ts'))]).not.toContain(resolve(source, 'operations.ts'))
})
