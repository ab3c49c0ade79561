// Runs the example of each proxy in front of a server. Only ports, certificates and paths of logs are replaced.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { deploy, executable, freePort, isInstalled, run, start, startServer, until, work } from './support.mjs'

const HOST = 'flags.example.com'
const certificate = join(work, 'fullchain.pem')
const privateKey = join(work, 'privkey.pem')

/** How to run the example of a proxy: its text with the replacements, and its command. */
const proxies = {
  nginx: ({ folder, http, https, ports }) => {
    const text = readExample('nginx/burgee.conf', [
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${https} ssl http2;`],
      [/ *listen \[::\]:.*\n/g, ''],
      [
        / *server 127.0.0.1:8080 (.*)\n/,
        (_, rest) => ports.map((port) => `server 127.0.0.1:${port} ${rest}\n`).join('')
      ],
      ['/etc/ssl/burgee/fullchain.pem', certificate],
      ['/etc/ssl/burgee/privkey.pem', privateKey],
      ['/var/log/nginx/burgee.log', join(folder, 'access.log')],
      ['/var/log/nginx/burgee-error.log', join(folder, 'error.log')]
    ])
    writeFileSync(join(folder, 'burgee.conf'), text)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`
    )
    const wrapper = `user root; daemon off; pid ${folder}/pid; error_log stderr; events {} http { ${paths.join(' ')} include ${folder}/burgee.conf; }`
    writeFileSync(join(folder, 'nginx.conf'), wrapper)
    return { args: ['-c', join(folder, 'nginx.conf'), '-p', folder], check: ['-t', '-c', join(folder, 'nginx.conf')] }
  },
  caddy: ({ folder, http, https, ports }) => {
    const options = `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tdefault_bind 127.0.0.1`
    const text = readExample('caddy/Caddyfile', [
      ['\n{', `\n${options}`],
      [`\n${HOST} {`, `\n${HOST} {\n\ttls ${certificate} ${privateKey}`],
      ['127.0.0.1:8080', ports.map((port) => `127.0.0.1:${port}`).join(' ')],
      ['/var/log/caddy/burgee.log', join(folder, 'access.log')]
    ])
    writeFileSync(join(folder, 'Caddyfile'), text)
    const config = ['--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
    return { args: ['run', ...config], check: ['validate', ...config], env: { HOME: folder, XDG_DATA_HOME: folder } }
  },
  haproxy: ({ folder, http, https, ports }) => {
    const both = join(folder, 'haproxy.pem')
    writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(privateKey, 'utf8'))
    const text = readExample('haproxy/haproxy.cfg', [
      ['bind :80\n', `bind 127.0.0.1:${http}\n`],
      ['bind :443', `bind 127.0.0.1:${https}`],
      ['/etc/ssl/burgee/haproxy.pem', both],
      ['server burgee1 127.0.0.1:8080', ports.map((port) => `server burgee${port} 127.0.0.1:${port}`).join('\n')],
      ['log /dev/log local0', 'log stdout format raw local0'],
      // Fewer than the limit of file descriptors of most shells.
      ['maxconn 20000', 'maxconn 400']
    ])
    writeFileSync(join(folder, 'haproxy.cfg'), text)
    return { args: ['-db', '-f', join(folder, 'haproxy.cfg')], check: ['-c', '-f', join(folder, 'haproxy.cfg')] }
  }
}

function readExample(path, replacements) {
  return replacements.reduce(
    (text, [from, to]) => {
      assert.ok(typeof from === 'string' ? text.includes(from) : from.test(text), `${path} lacks ${from}`)
      return text.replace(from, to)
    },
    readFileSync(join(deploy, 'proxies', path), 'utf8')
  )
}

/** Tests the example of each proxy. */
export async function testProxies(report, isChosen) {
  if (!isInstalled('curl') || !isInstalled('openssl'))
    return report.skip('proxies', 'curl and openssl are not installed')
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const key = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-keyout',
    privateKey,
    '-out',
    certificate
  ]
  assert.equal((await run('openssl', [...key, ...subject])).code, 0)
  for (const name of Object.keys(proxies).filter(isChosen)) {
    if (isInstalled(name)) await testProxy(name, report)
    else report.skip(name, `${name} is not installed`)
  }
}

async function testProxy(name, report) {
  const folder = join(work, `proxy-${name}`)
  mkdirSync(folder)
  const [http, https] = [await freePort(), await freePort()]
  const url = `https://${HOST}:${https}`
  const server = await startServer(name, { BURGEE_PUBLIC_URL: url })
  const { args, check, env } = proxies[name]({ folder, http, https, ports: [server.port] })
  const checked = await run(name, check, { env })
  await report.check(`${name}: the example is valid`, () =>
    assert.equal(checked.code, 0, checked.stderr + checked.stdout)
  )
  const proxy = start(name, args, env)
  const resolve = ['--resolve', `${HOST}:${https}:127.0.0.1`, '--resolve', `${HOST}:${http}:127.0.0.1`]
  const flags = ['-sS', '--max-time', '15', '--cacert', certificate, ...resolve]
  const curl = async (path, ...more) => {
    const target = path.startsWith('http') ? path : `${url}${path}`
    const { stdout, stderr } = await run('curl', [...flags, '-w', '\n%{http_code}', ...more, target])
    const end = stdout.lastIndexOf('\n')
    return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) || stderr }
  }
  try {
    await until(async () => (await curl('/livez')).status === 200, `the start of ${name}: ${proxy.output()}`)
    for (const [title, test] of Object.entries(tests)) {
      await report.check(`${name}: ${title}`, () => test({ curl, flags, url, http, server, proxy, folder }))
    }
    await server.stop()
    await report.check(`${name}: writes no SDK key to its logs when no server responds`, async () => {
      const paths = [`/config/v2/server/${server.key}.json`, `/event-stream?sdkKey=${server.key}`]
      for (const path of paths) assert.ok((await curl(path)).status >= 502, path)
      assert.ok((await curl(pathOfKey(server), '-X', 'DELETE')).status >= 502)
      await assertNoKey({ server, proxy, folder }, /DELETE.*\b50[234]\b/)
    })
  } finally {
    await proxy.stop()
    await server.stop()
  }
  await report.check(`${name}: no request fails when one of two servers stops`, () => testStop(name, { http, https }))
}

/** Stops one of two servers while clients send requests, and others follow streams, through a proxy. */
async function testStop(name, { http, https }) {
  const folder = join(work, `proxy-${name}-stop`)
  mkdirSync(folder)
  const settings = { BURGEE_PUBLIC_URL: `https://${HOST}:${https}`, BURGEE_SHUTDOWN_NOTICE_SECONDS: '5' }
  const one = await startServer(`${name}-one`, settings)
  await copyStore(`${name}-one`, `${name}-other`)
  const other = await startServer(`${name}-other`, settings)
  const requests = new Set()
  const { args, env } = proxies[name]({ folder, http, https, ports: [one.port, other.port] })
  const proxy = start(name, args, env)
  const ask = (path = '/livez') =>
    new Promise((resolve) => {
      const options = { host: '127.0.0.1', port: https, path, servername: HOST, agent: false }
      const request = get({ ...options, headers: { host: HOST }, ca: readFileSync(certificate) }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
        response.on('error', ({ code }) => resolve(code))
      })
      requests.add(request.on('close', () => requests.delete(request)))
      request.on('error', ({ code }) => resolve(code))
    })
  try {
    await until(async () => (await ask()) === 200, `the start of ${name}: ${proxy.output()}`)
    const results = {}
    let isDone = false
    const clients = Array.from({ length: 8 }, async () => {
      while (!isDone) {
        const result = await ask()
        results[result] = (results[result] ?? 0) + 1
      }
    })
    // As EventSource does, except that it gives up after another status than 200.
    const followers = Array.from({ length: 8 }, async () => {
      while (!isDone) {
        const result = await ask(`/event-stream?sdkKey=${one.key}`)
        if (!isDone) results[result] = (results[result] ?? 0) + 1
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
    })
    await one.stop()
    const after = results[200]
    await until(() => results[200] > after + 500, 'the requests after the stop')
    isDone = true
    await Promise.all(clients)
    for (const request of requests) request.destroy()
    await Promise.all(followers)
    assert.deepEqual(Object.keys(results), ['200'], JSON.stringify(results))
  } finally {
    await proxy.stop()
    await other.stop()
  }
}

/** Copies the store of a running server, so that another one accepts the same keys. */
async function copyStore(from, to) {
  const [store, backup] = [`file:${join(work, from)}`, join(work, `${to}.tar`)]
  await burgee('backup', '--store', store, '--to', backup)
  await burgee('restore', '--store', `file:${join(work, to)}`, '--from', backup)
}

async function burgee(...args) {
  const { code, stderr } = await run(process.execPath, [executable, ...args])
  assert.equal(code, 0, stderr)
}

const json = ['-H', 'Content-Type: application/json']

const tests = {
  'speaks HTTP/2': async ({ curl }) => {
    assert.match((await curl('/livez', '-D', '-')).body, /^HTTP\/2 200/)
  },
  'redirects http to https': async ({ curl, http }) => {
    const { body } = await curl(`http://${HOST}:${http}/docs`, '-o', '/dev/null', '-D', '-')
    assert.match(body, /^HTTP\/1.1 30[18]/)
    assert.match(body, new RegExp(`^location: https://${HOST}(:\\d+)?/docs\r$`, 'im'))
  },
  'evaluates a variable': async ({ curl, server }) => {
    const user = ['-H', `Authorization: ${server.key}`, ...json, '-d', '{"user_id":"ada","country":"CA"}']
    const { status, body } = await curl('/v1/variables/new-checkout', ...user)
    assert.deepEqual([status, JSON.parse(body).value], [200, true])
  },
  'leads a sign-in through addresses below the public URL to the login page': async ({ curl, url, folder }) => {
    const jar = ['-c', join(folder, 'cookies'), '-b', join(folder, 'cookies')]
    const { body } = await curl('/session/sign-in', ...jar, '-L', '-D', '-')
    const locations = [...body.matchAll(/^location: (\S+)/gim)].map(([, location]) => location)
    assert.ok(locations.length >= 2, body)
    for (const location of locations) assert.ok(location.startsWith(`${url}/`) || /^\/[^/]/.test(location), location)
    assert.match(body, /<form[^>]+method="post"/i)
    assert.match(body, /^set-cookie: __Host-.*; secure/im)
    const { issuer, token_endpoint: endpoint } = JSON.parse(
      (await curl('/.well-known/oauth-authorization-server')).body
    )
    assert.ok(issuer.startsWith(url) && endpoint === `${url}/oauth/token`, `${issuer} ${endpoint}`)
  },
  'records the address of the caller, not a forged one': async ({ curl }) => {
    const forged = ['-H', 'X-Forwarded-For: 203.0.113.9', '-H', 'X-Real-IP: 203.0.113.9', '--interface', '127.0.0.2']
    const refused = await curl('/v1/variables', ...forged, '-H', 'Authorization: server-wrong', ...json, '-d', '{}')
    assert.equal(refused.status, 401)
    const token = await tokenOf(curl)
    const log = await curl('/v1/organizations/current/access-log?kind=sdkKey', '-H', `Authorization: Bearer ${token}`)
    assert.deepEqual(
      JSON.parse(log.body).map(({ address }) => address),
      ['127.0.0.2']
    )
  },
  'replaces the request id of the caller': async ({ curl }) => {
    const { body } = await curl('/livez', '-H', 'X-Request-Id: forged', '-D', '-')
    assert.match(body, /^x-request-id: (?!forged)[\w-]{20,}\r$/im)
  },
  'passes each message of a stream on at once, and keep-alive lines': async ({ curl, flags, url, server }) => {
    const stream = start('curl', [...flags, '-N', '--max-time', '40', `${url}/event-stream?sdkKey=${server.key}`])
    await until(() => /^id: /m.test(stream.output()), `the first message: ${stream.output()}`, 2_000)
    const messages = () => stream.output().match(/^data: /gm)?.length ?? 0
    const before = messages()
    const change = [
      '-X',
      'PATCH',
      '-H',
      `Authorization: Bearer ${await tokenOf(curl)}`,
      ...json,
      '-d',
      '{"status":"inactive"}'
    ]
    const changed = await curl(
      '/v1/projects/demo/features/new-checkout/configurations?environment=production',
      ...change
    )
    assert.equal(changed.status, 200, changed.body)
    await until(() => messages() > before, 'the message of the change', 1_000)
    await until(() => /^:/m.test(stream.output()), 'a keep-alive line', 17_000)
    await stream.stop()
  },
  'passes on a body that is too large, so that the error is the one of the server': async ({
    curl,
    server,
    folder
  }) => {
    writeFileSync(join(folder, 'large.json'), JSON.stringify({ user_id: 'a'.repeat(2 ** 21) }))
    const { status, body } = await curl(
      '/v1/variables',
      '-H',
      `Authorization: ${server.key}`,
      ...json,
      '--data-binary',
      `@${folder}/large.json`
    )
    assert.deepEqual([status, JSON.parse(body).message], [413, 'the body is larger than 1048576 bytes'])
  },
  'forwards Host, which the tools for assistants check': async ({ curl, url }) => {
    const call = ['-X', 'POST', ...json, '-H', 'Accept: application/json, text/event-stream', '-d', '{}', '-D', '-']
    const { status, body } = await curl('/mcp', ...call)
    assert.equal(status, 401, body)
    assert.match(body, new RegExp(`^www-authenticate: .*resource_metadata="${url}/`, 'im'))
  },
  'forwards no metrics': async ({ curl }) => {
    for (const path of ['/metrics', '//metrics', '/%6detrics'])
      assert.equal((await curl(path, '--path-as-is')).status, 404, path)
  },
  'forwards //config, which SDKs request if their base URL ends in a slash': async ({ curl, server }) => {
    const { status, body } = await curl(`//config/v2/server/${server.key}.json`, '--path-as-is')
    assert.deepEqual([status, JSON.parse(body).environment?.key], [200, 'production'])
  },
  'writes no SDK key to its log': async ({ curl, server, proxy, folder }) => {
    assert.equal((await curl(`/config/v2/server/${server.key}.json`)).status, 200)
    assert.equal((await curl(pathOfKey(server), '-X', 'DELETE')).status, 401)
    await assertNoKey({ server, proxy, folder }, /DELETE.*\b401\b/)
  },
  'announces HSTS': async ({ curl }) => {
    assert.match((await curl('/livez', '-D', '-')).body, /^strict-transport-security: max-age=31536000/im)
  }
}

function pathOfKey({ key }) {
  return `/v1/projects/demo/environments/production/sdk-keys/${key}`
}

/** Asserts that the logs of a proxy contain no SDK key, once the access log has the line of the last request. */
async function assertNoKey({ server, proxy, folder }, lastLine) {
  const [access, errors] = ['access.log', 'error.log'].map((name) => join(folder, name))
  const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  // HAProxy logs to its output.
  const readAccess = () => (existsSync(access) ? read(access) : proxy.output())
  await until(() => lastLine.test(readAccess()), `the line ${lastLine} in the access log`)
  const logs = [proxy.output(), read(access), read(errors)].join('\n')
  assert.ok(!logs.includes(server.key), 'the logs contain an SDK key')
}

async function tokenOf(curl) {
  const grant = 'grant_type=client_credentials&client_id=operator&client_secret=the-secret-of-the-proxy-tests'
  const { body } = await curl('/oauth/token', '-d', grant)
  return JSON.parse(body).access_token
}
