import type { SdkKeyType } from '@burgee/contract'

interface InstallGuideFacts {
  /** The first line of its file. */
  readonly title: string
  /** The types of SDK keys that it requires. */
  readonly keys: readonly SdkKeyType[]
}

/** The install guides. The text of each is in `guides/install`. */
export const installGuides = {
  android: { title: 'Android', keys: ['mobile'] },
  'android-openfeature': { title: 'Android with OpenFeature', keys: ['mobile'] },
  angular: { title: 'Angular', keys: ['client'] },
  dotnet: { title: '.NET', keys: ['server'] },
  'dotnet-openfeature': { title: '.NET with OpenFeature', keys: ['server'] },
  flutter: { title: 'Flutter', keys: ['mobile'] },
  go: { title: 'Go', keys: ['server'] },
  'go-openfeature': { title: 'Go with OpenFeature', keys: ['server'] },
  ios: { title: 'iOS', keys: ['mobile'] },
  'ios-openfeature': { title: 'iOS with OpenFeature', keys: ['mobile'] },
  java: { title: 'Java', keys: ['server'] },
  'java-openfeature': { title: 'Java with OpenFeature', keys: ['server'] },
  javascript: { title: 'JavaScript in browsers', keys: ['client'] },
  'javascript-openfeature': { title: 'JavaScript in browsers with OpenFeature', keys: ['client'] },
  nestjs: { title: 'NestJS', keys: ['server'] },
  'nestjs-openfeature': { title: 'NestJS with OpenFeature', keys: ['server'] },
  nextjs: { title: 'Next.js', keys: ['server', 'client'] },
  nodejs: { title: 'Node.js', keys: ['server'] },
  'nodejs-openfeature': { title: 'Node.js with OpenFeature', keys: ['server'] },
  php: { title: 'PHP', keys: ['server'] },
  'php-openfeature': { title: 'PHP with OpenFeature', keys: ['server'] },
  python: { title: 'Python', keys: ['server'] },
  'python-openfeature': { title: 'Python with OpenFeature', keys: ['server'] },
  react: { title: 'React', keys: ['client'] },
  'react-native': { title: 'React Native', keys: ['client'] },
  'react-openfeature': { title: 'React with OpenFeature', keys: ['client'] },
  roku: { title: 'Roku', keys: ['mobile'] },
  ruby: { title: 'Ruby', keys: ['server'] },
  'ruby-openfeature': { title: 'Ruby with OpenFeature', keys: ['server'] }
} as const satisfies Readonly<Record<string, InstallGuideFacts>>

export type InstallGuide = keyof typeof installGuides

// The keys of the object are the ids.
/** The ids of the guides. */
export const installGuideIds = Object.keys(installGuides) as readonly InstallGuide[]

/** Completes the id of an install guide. */
export function completeGuide(prefix: string): InstallGuide[] {
  return installGuideIds.filter((id) => id.startsWith(prefix.toLowerCase()))
}
