import type { UpdateFeatureConfiguration } from '@burgee/contract/schemas'

type Problem = NonNullable<ReturnType<typeof UpdateFeatureConfiguration.safeParse>['error']>['issues'][number]

/** Returns a sentence about what is wrong with a configuration, as in "Target 1: audience is missing." */
export function describeJsonProblem({ code, path, message }: Problem): string {
  const place = placeOf(path)
  if (code === 'invalid_type') {
    const [, expected = '', received = ''] = /expected (\w+), received (\w+)/.exec(message) ?? []
    if (received === 'undefined') return `${place} is missing.`
    if (received !== '') return `${place} should be ${withArticle(expected)}, not ${withArticle(received)}.`
  }
  return `${place}: ${message.replace(/^Invalid (input|option): /, '')}.`
}

function placeOf(path: readonly PropertyKey[]): string {
  const [list, index, ...members] = path
  if (path.length === 0) return 'The configuration'
  if (list !== 'targets' || typeof index !== 'number') return path.join('.')
  return [`Target ${index + 1}`, ...(members.length > 0 ? [members.join('.')] : [])].join(': ')
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
