import { type InstallGuide, installGuideIds } from './installGuides.ts'

/** The ids of install guides that begin with a text. */
export function completeGuide(begun: string): InstallGuide[] {
  return installGuideIds.filter((id) => id.startsWith(begun.toLowerCase()))
}
