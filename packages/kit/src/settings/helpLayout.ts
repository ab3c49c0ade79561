import type { Command as Commander, Help } from 'commander'

/** The minimum width of a description, if the terminal is wide enough. Below longer names, it starts on a new line. */
const DESCRIPTION_WIDTH = 40

/** The widest text that is easy to read, in columns. */
const TEXT_WIDTH = 80

/** How help texts are wrapped. By default, commander does not wrap descriptions narrower than 40 columns. */
export const helpLayout: Partial<Help> = {
  minWidthToWrap: 20,
  padWidth(this: Help, command, helper) {
    const longest = Math.max(
      helper.longestOptionTermLength(command, helper),
      helper.longestGlobalOptionTermLength(command, helper),
      helper.longestSubcommandTermLength(command, helper),
      helper.longestArgumentTermLength(command, helper)
    )
    const room = (helper.helpWidth ?? TEXT_WIDTH) - DESCRIPTION_WIDTH - INDENT.length - GAP.length
    return Math.min(longest, Math.max(room, INDENT.length))
  },
  formatItem(this: Help, term, termWidth, description, helper) {
    if (!description) return `${INDENT}${term}`
    const indent = ' '.repeat(INDENT.length + termWidth + GAP.length)
    const lines = helper.boxWrap(description, (helper.helpWidth ?? TEXT_WIDTH) - indent.length).split('\n')
    const isBelow = term.length > termWidth
    const first = isBelow ? `${INDENT}${term}\n${indent}` : `${INDENT}${term.padEnd(termWidth)}${GAP}`
    return `${first}${lines.join(`\n${indent}`)}`
  }
}

const INDENT = '  '
const GAP = '  '

/** Wraps a text for the terminal that shows the help. Indented lines, such as commands, are not wrapped. */
export function wrapText(text: string, commander: Commander, indent = ''): string {
  const width = Math.min(commander.configureOutput().getOutHelpWidth?.() || TEXT_WIDTH, TEXT_WIDTH) - indent.length
  const lines = joinParagraphs(text).flatMap((line) => wrapLine(line, width))
  return lines.map((line) => `${indent}${line}`.trimEnd()).join('\n')
}

/** Returns the lines of a text. A line break inside a paragraph is a space. */
function joinParagraphs(text: string): readonly string[] {
  return text.replace(/(?<=^|\n)(\S.*)\n(?=\S)/g, '$1 ').split('\n')
}

function wrapLine(line: string, width: number): readonly string[] {
  if (line.length <= width || line.startsWith(' ')) return [line]
  return line.match(new RegExp(`.{1,${width}}(?:\\s|$)|\\S+(?:\\s|$)`, 'g')) ?? []
}
