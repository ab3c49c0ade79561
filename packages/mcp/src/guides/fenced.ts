import { escapeInvisibleCharacters } from '@burgee/kit/text'

/**
 * A value as a block of JSON within Markdown. Nothing in it can end the block: the fence is longer than any run of
 * backticks within, and JSON has no line breaks in its texts. What nobody sees is escaped.
 */
export function fenced(value: unknown): string {
  const json = escapeInvisibleCharacters(JSON.stringify(value, null, 2))
  const longest = Math.max(2, ...[...json.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}json\n${json}\n${fence}`
}
