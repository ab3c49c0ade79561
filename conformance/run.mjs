import { startFixtures } from './fixtures.mjs'
import { inspect } from './inspector.mjs'
import { startProduct } from './product.mjs'
import { startProxy } from './proxy.mjs'
import { assertReady } from './ready.mjs'
import { runAuthorizationSuite, runSuites } from './suites.mjs'

assertReady()

const began = performance.now()
const failures = [...(await checkFixtures()), ...(await checkProduct())]
console.log(`\n${failures.length === 0 ? 'all passed' : `failed: ${failures.join('; ')}`}, after ${seconds()} s`)
process.exitCode = failures.length === 0 ? 0 : 1

/** The suite's own tools, resources and prompts, behind the transport of the product: nearly every scenario runs. */
async function checkFixtures() {
  const fixtures = await startFixtures()
  const proxy = await startProxy(fixtures.url, fixtures.token)
  try {
    return await runSuites('fixtures', proxy.url)
  } finally {
    await proxy.stop()
    await fixtures.stop()
  }
}

/** The product: the scenarios that do not need the suite's fixtures, and everything that the inspector checks. */
async function checkProduct() {
  const product = await startProduct()
  const proxy = await startProxy(product.mcpUrl, product.token)
  try {
    return [
      ...(await runSuites('product', proxy.url)),
      ...(await runAuthorizationSuite(product.issuer)),
      ...(await inspect(product))
    ]
  } finally {
    await proxy.stop()
    await product.stop()
  }
}

function seconds() {
  return ((performance.now() - began) / 1000).toFixed(1)
}
