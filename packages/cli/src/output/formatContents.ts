import { escapeLine } from '@burgee/kit/text'
import { changeWords } from './formatChange.ts'
import { formatCell } from './formatValue.ts'

/** Formats a change with the contents before and after it. Nothing is cut: reviewers approve what they see. */
export function formatContents(change: object): readonly string[] {
  const { type, previousContents, newContents } = change as Readonly<Record<string, unknown>>
  const contents = [['before', previousContents] as const, ['after', newContents] as const].flatMap(([when, value]) => {
    const text = formatCell(value)
    return text === '' ? [] : [`  ${when}: ${escapeLine(text)}`]
  })
  return [changeWords(String(type)), ...contents]
}
