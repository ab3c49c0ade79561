import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import vm from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import * as core from '../src/index.ts'
import { configWith, featureWith } from './configs.ts'

/** Bundles some of the package's names as an application's bundler does. */
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

test('has these public names and no others', () => {
  const index = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8')
  const lists = [...index.matchAll(/export (type )?\{([^}]*)\}/g)]
  const names = lists.flatMap(([, isType, list]) =>
    (list ?? '').split(',').map((name) => (isType ? `type ${name.trim()}` : name.trim()))
  )
  expect(names.filter((name) => name && !name.startsWith('type ')).sort()).toEqual(Object.keys(core).sort())
  expect(names.filter(Boolean).sort()).toMatchInlineSnapshot(`
    [
      "ConfigError",
      "compile",
      "evaluationMetadata",
      "ofrepFlag",
      "ofrepFlags",
      "recompile",
      "toOfrepFlag",
      "toUser",
      "type Audience",
      "type BucketedConfig",
      "type BucketedFeature",
      "type BucketedVariable",
      "type CompileOptions",
      "type Config",
      "type ContextUser",
      "type CustomData",
      "type CustomValue",
      "type Environment",
      "type EvalReason",
      "type EvaluateOptions",
      "type Evaluator",
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

test('depends on nothing but the two libraries that its work is made of', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(Object.keys(manifest.dependencies)).toEqual(['fast-json-stable-stringify', 'murmurhash-js'])
  expect(manifest.peerDependencies).toBeUndefined()
})

test('bundles its evaluator into at most 8 KiB of gzip', async () => {
  expect(gzipSync(await bundle('compile')).length).toBeLessThanOrEqual(8 * 1024)
})

test('evaluates where there is nothing but the language', async () => {
  const context = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } })
  vm.runInContext(await bundle('compile, ofrepFlags, toUser'), context)
  const config = JSON.stringify(configWith({ features: [featureWith({})] }))
  const script = `JSON.stringify(burgee.ofrepFlags(burgee.compile(${config}), burgee.toUser({ targetingKey: 'é' })))`
  expect(JSON.parse(vm.runInContext(script, context)).flags).toMatchObject([{ key: 'variable', value: 'a' }])
})

test('is imported from its built package by name', () => {
  const script = `import { compile } from '@burgee/core'; console.log(typeof compile)`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8'
  })
  expect(output.trim()).toBe('function')
})
