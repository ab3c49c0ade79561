import type { SdkKeyType } from '@burgee/contract'
import type { Call } from '../api/call.ts'
import { guideBody, guideText } from './guideText.ts'
import { type InstallGuide, installGuides } from './installGuides.ts'

/** Returns the guide to install one SDK: a common frame around the text of the SDK. */
export async function installGuide(
  id: InstallGuide,
  { serverUrl, settings }: Pick<Call, 'serverUrl' | 'settings'>
): Promise<string> {
  const { title, keys } = installGuides[id]
  const guide = await guideBody(`install/${id}.md`)
  const frame = await guideText('installFrame.md')
  const keySource = settings.sdkKeys ? keysShown : keysHidden
  return fill(fill(frame, { title, keys: formatKeys(keys), keySource, guide }), { url: serverUrl })
}

const keysShown =
  'The result of `select_project` lists the SDK keys of each environment by their type, server keys only with `includeServerKeys: true`, which only a server SDK needs: use those of the environment in which the person develops, `development` unless they say otherwise. Name the environment, and do not repeat the key.'

const keysHidden =
  'This tool server does not show SDK keys. Name the type, the environment and the variable, let the person put the key into the file, and do not ask for it in the chat.'

function formatKeys(keys: readonly SdkKeyType[]): string {
  return keys.map((type) => `the **${type} key**`).join(' and ')
}

/** Replaces the `{{name}}` placeholders of a text. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (place, name) => values[name] ?? place)
}
