import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Command, command } from '@burgee/kit/commandLine'
import { makeFolder } from '@burgee/kit/files'
import { type Environment, parseBoolean, type Settings, UsageError } from '@burgee/kit/settings'
import type { Terminal } from '../../run/terminal.ts'
import { completeWords } from './completeWords.ts'
import { keysCommand, readKeys } from './keyCache.ts'

/** Returns `burgee completion …`, which completes the given commands, the flags that can precede them, and itself. */
export function completionCommands(
  commands: readonly Command<Terminal>[],
  shared: Settings
): readonly Command<Terminal>[] {
  const scripts = Object.entries(shells).map(([shell, script]) =>
    command({
      name: `completion ${shell}`,
      summary: `Print the completion script for ${shell}.`,
      settings: {
        install: {
          kind: 'switch',
          variable: false,
          help: 'Write it to where the shell loads completions of this user from.',
          parse: parseBoolean
        }
      },
      details: `Examples:\n  burgee completion ${shell} --install\n  burgee completion ${shell} > ${placeOf(shell, { HOME: '~' }).path}`,
      run: async ({ settings: { install } }, { write, environment }: Terminal) => {
        if (!install) {
          write(script)
          return 0
        }
        const { path, next } = placeOf(shell, environment)
        await makeFolder(dirname(path))
        await writeFile(path, script)
        write(`Wrote ${path}. ${next}\n`)
        return 0
      }
    })
  )
  const words = command({
    name: 'completion words',
    summary: 'Print the possible next words, one per line. Completion scripts call this.',
    isHidden: true,
    arguments: ['[words...]'],
    settings: {
      describe: {
        kind: 'switch',
        variable: false,
        help: 'Print a tab and the description after each word that has one.',
        parse: parseBoolean
      }
    },
    details: 'The last word is the one to complete. Example:\n  burgee completion words -- features li',
    run: async ({ arguments: typed, settings: { describe } }, terminal: Terminal) => {
      const {
        words: found,
        keys,
        prefix = ''
      } = completeWords([...commands, ...scripts, words, keysCommand], typed, shared)
      const known = keys === undefined ? [] : await readKeys(keys, terminal).catch(() => [])
      const titles = new Map(known.map(({ key, title }) => [`${prefix}${key}`, title]))
      const all = [...found, ...titles.keys()]
      const last = typed.at(-1) ?? ''
      // In bash, this is a word of its own, before the one to complete.
      const current = last === '=' ? '' : last
      const fitting = [...new Set(all)].filter((word) => word.startsWith(current)).sort()
      const lines = fitting.map((word) => {
        const title = describe ? titles.get(word) : undefined
        return title === undefined ? word : `${word}\t${toOneLine(title)}`
      })
      terminal.write(lines.map((line) => `${line}\n`).join(''))
      return 0
    }
  })
  return [...scripts, words, keysCommand]
}

/** Returns a title that shells can show: control characters and line breaks are spaces. */
function toOneLine(title: string): string {
  return title.replace(/[\p{C}\s]+/gu, ' ').slice(0, 80)
}

/** Returns where a shell loads a script from, and what to do next. @throws {UsageError} without a home folder */
function placeOf(shell: string, environment: Environment): { readonly path: string; readonly next: string } {
  const { HOME: home, XDG_DATA_HOME, XDG_CONFIG_HOME, ZDOTDIR } = environment
  if (!home) throw new UsageError('HOME is not set: write the script to a file instead')
  const next = 'It works in new shells.'
  if (shell === 'bash') {
    return { path: join(XDG_DATA_HOME || join(home, '.local/share'), 'bash-completion/completions/burgee'), next }
  }
  if (shell === 'fish') {
    return { path: join(XDG_CONFIG_HOME || join(home, '.config'), 'fish/completions/burgee.fish'), next }
  }
  const folder = join(ZDOTDIR || home, '.zfunc')
  return {
    path: join(folder, '_burgee'),
    next: `Unless ~/.zshrc has it, add before compinit: fpath+=(${folder})`
  }
}

const shells: Readonly<Record<string, string>> = {
  bash: `_burgee() {
  local IFS=$'\\n'
  COMPREPLY=($(burgee completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _burgee burgee
`,
  zsh: `#compdef burgee
_burgee() {
  local -a lines found shown
  lines=(\${(f)"$(burgee completion words --describe -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  found=(\${lines%%$'\\t'*})
  shown=(\${lines/$'\\t'/  })
  if (( \${#found} )); then compadd -l -d shown -a found; else _files; fi
}
if [[ "\${funcstack[1]}" == _burgee ]]; then _burgee "$@"; else compdef _burgee burgee; fi
`,
  fish: `function __burgee_words
  set -l typed (commandline -opc)
  set -l current (commandline -ct)
  burgee completion words --describe -- $typed[2..-1] "$current" 2>/dev/null
end
complete -c burgee -f -a '(__burgee_words)'
`
}
