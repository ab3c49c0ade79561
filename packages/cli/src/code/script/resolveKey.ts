import type { CodeSource } from '../source/codeRead.ts'
import { candidateFiles, dottedName, type ModuleConstants, readConstants, textOf } from './constants.ts'
import { type Node, nodeIn, parseScript, unwrap } from './syntax.ts'

/** Returns the keys that an expression can have, or `undefined` if they are only known at run time. */
export type ResolveKey = (node: Node) => readonly string[] | undefined

/** Reads the constants of other files once. */
export type ReadModule = (file: string) => ModuleConstants | undefined

/** Creates a reader of the constants of the modules of a source. */
export function createModuleReader({ files, read }: CodeSource): ReadModule {
  const known = new Set(files)
  const cache = new Map<string, ModuleConstants | undefined>()
  return (file) => {
    if (!known.has(file)) return undefined
    if (!cache.has(file)) cache.set(file, parseConstants(file))
    return cache.get(file)
  }

  function parseConstants(file: string): ModuleConstants | undefined {
    const text = read(file)
    if (text === undefined || !/\.[mc]?[jt]sx?$/.test(file)) return undefined
    try {
      return readConstants(parseScript(text, file))
    } catch {
      // The scan of this file reports the problem.
      return undefined
    }
  }
}

/** Creates the resolver of the keys in a file: literals, constants of the file and of the files that it imports. */
export function createKeyResolver(
  file: string,
  { texts, imports }: ModuleConstants,
  { readModule, aliases }: { readonly readModule: ReadModule; readonly aliases: ReadonlyMap<string, string> }
): ResolveKey {
  return resolve

  function resolve(node: Node): readonly string[] | undefined {
    const inner = unwrap(node)
    const text = textOf(inner)
    if (text !== undefined) return [text]
    if (inner.type === 'ConditionalExpression') {
      const [left, right] = [nodeIn(inner, 'consequent'), nodeIn(inner, 'alternate')]
      const [one, other] = [left && resolve(left), right && resolve(right)]
      return one && other && [...new Set([...one, ...other])]
    }
    const name = dottedName(inner)
    const found = name === undefined ? undefined : (aliases.get(name) ?? texts.get(name) ?? resolveImported(name))
    return found === undefined ? undefined : [found]
  }

  function resolveImported(name: string): string | undefined {
    const [root = '', ...members] = name.split('.')
    const imported = imports.get(root)
    if (!imported?.module.startsWith('.')) return undefined
    const module = candidateFiles(file, imported.module).map(readModule).find(Boolean)
    if (!module) return undefined
    const base = imported.name === 'default' ? module.defaultExport : imported.name
    const path = imported.name === '*' ? members : [base, ...members]
    return module.texts.get(path.join('.'))
  }
}
