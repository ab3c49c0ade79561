import type { Project } from '@burgee/contract/schemas'

type Settings = Project['settings']

/** The effects of a change of settings on users of protected environments, in sentences. */
export function consequences(before: Settings, after: Settings): readonly string[] {
  return sentences.flatMap(([read, on, off]) => (read(before) === read(after) ? [] : [read(after) ? on : off]))
}

type Sentence = readonly [read: (settings: Settings) => boolean, on: string, off: string]

const sentences: readonly Sentence[] = [
  [
    ({ edgeDB }) => edgeDB.enabled,
    'Evaluations that request stored properties use them, so users can get other variations.',
    'Evaluations no longer use stored properties, so users can get other variations.'
  ],
  [
    ({ trustClientWrites = false }) => trustClientWrites,
    'Evaluations with server keys use data stored with client and mobile keys. Anyone can write with these keys.',
    'Evaluations with server keys no longer use data stored with client and mobile keys.'
  ],
  [
    ({ optIn }) => optIn.enabled,
    'Users can opt in to the features that allow it.',
    'Users who opted in to a feature lose it, unless another target serves it to them.'
  ],
  [
    ({ obfuscation }) => obfuscation.enabled,
    'SDKs that request obfuscated keys receive them.',
    'SDKs that request obfuscated keys receive plain keys, which their code does not recognize.'
  ],
  [
    ({ obfuscation }) => obfuscation.required,
    'Client keys receive only obfuscated keys. SDKs that do not request them are rejected immediately, and so is OFREP.',
    'Client keys can receive plain keys again.'
  ],
  [
    ({ disablePassthroughRollouts }) => disablePassthroughRollouts,
    'Users whom the rollout of a target excludes get the application’s default, not the next target.',
    'For users whom the rollout of a target excludes, evaluation continues with the next target.'
  ]
]
