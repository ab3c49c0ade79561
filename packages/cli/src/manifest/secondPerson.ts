/** Rewrites a text of the API, which speaks of "the caller", so that it addresses the reader as "you". */
export function toSecondPerson(text: string): string {
  return replacements.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)
}

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\bSign the caller out\b/g, 'Sign out'],
  [/\bon behalf of the caller\b/g, 'on your behalf'],
  [/\ball ([\w, -]+?) of the caller\b/g, 'all your $1'],
  [/\ban? ([\w -]+?) of the caller\b/g, 'one of your $1s'],
  [/\bThe ([\w`-]+(?: [\w-]+){0,2}) of the caller\b/g, 'Your $1'],
  [/\bthe ([\w`-]+(?: [\w-]+){0,2}) of the caller\b/g, 'your $1'],
  [/\bof the caller\b/g, 'of yours'],
  [/\bthe caller grants permissions that they do not have\b/g, 'you grant permissions that you do not have'],
  [/\bthe caller may approve and has not approved\b/g, 'you may approve and have not approved'],
  [/\bthe caller allowed to act for them\b/g, 'you allowed to act for you'],
  [/\bthe caller (has|is|does|gets)\b/g, 'you $1'],
  [/\byou has\b/g, 'you have'],
  [/\byou is\b/g, 'you are'],
  [/\byou does\b/g, 'you do'],
  [/\byou gets\b/g, 'you get'],
  [/\bWho the caller is\b/g, 'Who you are'],
  [/\bthe same caller\b/g, 'the same account'],
  [/\bthe caller\b/g, 'you']
]
