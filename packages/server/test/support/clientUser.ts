import { NOW } from '@burgee/testing/plan'

/** The query with which client SDKs request the config of a user. */
export function clientUser(user_id: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    user_id,
    isAnonymous: 'false',
    createdDate: String(NOW),
    lastSeenDate: String(NOW),
    platform: 'web',
    platformVersion: 'Firefox 140',
    deviceModel: 'Mozilla/5.0',
    sdkType: 'client',
    sdkVersion: '1.47.10',
    sdkPlatform: 'js',
    ...more
  }
}
