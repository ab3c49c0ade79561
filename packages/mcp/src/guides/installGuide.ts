import type { SdkKeyType } from '@burgee/contract'
import type { Call } from '../api/call.ts'
import { guideBody, guideText } from './guideText.ts'
import { type InstallGuide, installGuides } from './installGuides.ts'

/** How to install one SDK, for a server at this address: what all guides have in common, around what is peculiar to this one. */
export async function installGuide(
  id: InstallGuide,
  { serverUrl, settings }: Pick<Call, 'serverUrl' | 'settings'>
): Promise<string> {
  const { title, keys } = installGuides[id]
  const guide = await guideBody(`install/${id}.md`)
  const frame = await guideText('installFrame.md')
  const keySource = settings.sdkKeys ? shown : hidden
  return fill(fill(frame, { title, keys: named(keys), keySource, guide }), { url: serverUrl })
}

const shown =
  'The answer of `select_project` lists the SDK keys of each environment by their type: take those of the environment that the person develops in, `development` unless they say otherwise. Say which environment it is, and do not repeat the key.'

const hidden =
  'This tool server shows no SDK keys: the person has them. Name the type, the environment and the variable, let them put it into the file themselves, and do not ask for it in the chat.'

function named(keys: readonly SdkKeyType[]): string {
  return keys.map((type) => `the **${type} key**`).join(' and ')
}

/** Puts values into the places of a text that name them. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (place, name) => values[name] ?? place)
}
