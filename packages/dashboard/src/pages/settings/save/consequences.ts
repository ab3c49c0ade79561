import type { Project } from '@burgee/contract/schemas'

type Settings = Project['settings']

/** What a change of settings means for users of protected environments, in sentences. None if it means nothing. */
export function consequences(before: Settings, after: Settings): readonly string[] {
  return sentences.flatMap(([read, on, off]) => (read(before) === read(after) ? [] : [read(after) ? on : off]))
}

type Sentence = readonly [read: (settings: Settings) => boolean, on: string, off: string]

const sentences: readonly Sentence[] = [
  [
    ({ edgeDB }) => edgeDB.enabled,
    'Evaluations that ask for stored properties use them, so users can get other variations.',
    'Evaluations no longer use stored properties, so users can get other variations.'
  ],
  [
    ({ trustClientWrites = false }) => trustClientWrites,
    'Evaluations with server keys use what client and mobile keys stored. Anyone can write with these keys.',
    'Evaluations with server keys no longer use what client and mobile keys stored.'
  ],
  [
    ({ optIn }) => optIn.enabled,
    'Users can opt in to the features that allow it, and get them then.',
    'Users who opted in to a feature lose it, unless another target serves it to them.'
  ],
  [
    ({ obfuscation }) => obfuscation.enabled,
    'SDKs that ask for obfuscated keys receive them.',
    'SDKs that ask for obfuscated keys receive plain ones, which their code does not know.'
  ],
  [
    ({ obfuscation }) => obfuscation.required,
    'Client keys receive obfuscated keys only. SDKs that do not ask for them are refused at once, and so is OFREP.',
    'Client keys can receive plain keys again.'
  ],
  [
    ({ disablePassthroughRollouts }) => disablePassthroughRollouts,
    'Users whom the rollout of a target leaves out get the default of the application, not the next target.',
    'Users whom the rollout of a target leaves out go on to the next target, and can get its variation.'
  ]
]
