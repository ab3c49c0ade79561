import { strictEqual } from 'node:assert'
import { contextOf } from '../http/routes.mjs'

const USERS = 500

/** Returns the requests of a browser or an app that starts, one for each user. Nothing answers them with 304. */
export async function clientConfigs(url, clientKey) {
  const requests = Array.from({ length: USERS }, (_, index) => {
    const { targetingKey, plan, ...user } = contextOf(index).context
    const query = new URLSearchParams({
      sdkKey: clientKey,
      user_id: targetingKey,
      ...user,
      customData: JSON.stringify({ plan }),
      isAnonymous: 'false',
      createdDate: '1772366400000',
      lastSeenDate: '1772366400000',
      platform: 'web',
      platformVersion: 'Firefox 140',
      deviceModel: 'Mozilla/5.0',
      sdkType: 'client',
      sdkVersion: '1.47.10',
      sdkPlatform: 'js'
    })
    return get(`/v1/sdkConfig?${query}`)
  })
  const [, path] = requests[0].split(' ')
  strictEqual((await fetch(`${url}${path}`)).status, 200)
  return requests
}

/** Returns the request of a server that downloads the config document, and that of one that has it already. */
export async function documents(url, serverKey) {
  const path = `/config/v1/server/${serverKey}.json`
  const { status, headers } = await fetch(`${url}${path}`)
  strictEqual(status, 200)
  const condition = `if-none-match: ${headers.get('etag')}\r\n`
  strictEqual((await fetch(`${url}${path}`, { headers: { 'if-none-match': headers.get('etag') } })).status, 304)
  return { document: [get(path)], documentUnchanged: [get(path, condition)] }
}

function get(path, headers = '') {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\naccept-encoding: gzip, deflate, br\r\nuser-agent: bench\r\n${headers}\r\n`
}
