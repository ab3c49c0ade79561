import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import vm from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import * as core from '../src/index.ts'
import { configWith, featureWith } from './configs.ts'

/** Bundles some exports of the package like an application's bundler. */
async function bundle(names: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${names} } from './src/index.ts'`,
      resolveDir: new URL('..', import.meta.url).pathname
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    globalName: 'burgee',
    target: 'es2022'
  })
  return outputFiles[0]!.text
}

test('exports exactly these names', () => {
  const index = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8')
  const lists = [...index.matchAll(/export (type )?\{([^}]*)\}/g)]
  const names = lists.flatMap(([, isType, list]) =>
    (list ?? '').split(',').map((name) => (isType ? `type ${name.trim()}` : name.trim()))
  )
  expect(names.filter((name) => name && !name.startsWith('type ')).sort()).toEqual(Object.keys(core).sort())
  expect(names.filter(Boolean).sort()).toMatchInlineSnapshot(`
    [
      "ConfigError",
      "admittedShare",
      "audiencesOf",
      "changedPart",
      "compile",
      "evaluationMetadata",
      "explainFeature",
      "ofrepFlag",
      "ofrepFlags",
      "recompile",
      "replacePart",
      "toOfrepFlag",
      "toUser",
      "type Audience",
      "type BucketedConfig",
      "type BucketedFeature",
      "type BucketedVariable",
      "type ChangedPart",
      "type CompileOptions",
      "type Config",
      "type ContextUser",
      "type CustomData",
      "type CustomValue",
      "type Environment",
      "type EvalReason",
      "type EvaluateOptions",
      "type Evaluator",
      "type ExplainOptions",
      "type Explanation",
      "type Feature",
      "type FeatureExplanation",
      "type FeatureType",
      "type Filter",
      "type FilterExplanation",
      "type Json",
      "type Metadata",
      "type OffValue",
      "type OfrepFailure",
      "type OfrepFlag",
      "type OfrepSuccess",
      "type Operator",
      "type OperatorExplanation",
      "type Overrides",
      "type Problem",
      "type ProblemCode",
      "type Project",
      "type Resolution",
      "type Rollout",
      "type RolloutStage",
      "type Share",
      "type Target",
      "type TargetExplanation",
      "type User",
      "type Variable",
      "type VariableType",
      "type Variation",
      "withOverrides",
    ]
  `)
})

test('has no dependencies, and names the licence of the package that it contains', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined])
  const require = createRequire(import.meta.url)
  const license = readFileSync(require.resolve('fast-json-stable-stringify/LICENSE'), 'utf8')
  expect(readFileSync(new URL('../THIRD_PARTY_LICENSES', import.meta.url), 'utf8')).toContain(license)
})

test('has an evaluator of at most 8 KiB, bundled and compressed', async () => {
  expect(gzipSync(await bundle('compile')).length).toBeLessThanOrEqual(8 * 1024)
})

test('evaluates without any API of a browser or of Node', async () => {
  const context = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } })
  vm.runInContext(await bundle('compile, ofrepFlags, toUser'), context)
  const config = JSON.stringify(configWith({ features: [featureWith({})] }))
  const script = `JSON.stringify(burgee.ofrepFlags(burgee.compile(${config}), burgee.toUser({ targetingKey: 'é' })))`
  expect(JSON.parse(vm.runInContext(script, context)).flags).toMatchObject([{ key: 'variable', value: 'a' }])
})

test('can be imported by name after a build', () => {
  const script = `import { compile } from '@burgee/core'; console.log(typeof compile)`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8'
  })
  expect(output.trim()).toBe('function')
})

test('prints what the README says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [config, script] = ['json', 'js'].map((language) => {
    return readme.match(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's'))?.[1] ?? ''
  })
  const expected = [...script!.matchAll(/^console\.log.* \/\/ (.*)$/gm)].map(([, text]) => text)
  const runnable = script!.replace("readFileSync('config.json', 'utf8')", JSON.stringify(config))
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', runnable], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8'
  })
  expect(expected).toHaveLength(3)
  expect(output.trim().split('\n')).toEqual(expected)
})
