import { existsSync } from 'node:fs'

/** Exits with a hint if Node.js is too old, or if something is not built or installed. */
export function assertReady() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 19)) {
    advise(`the suite and the inspector need Node.js 22.19 or later, this is ${process.versions.node}: run \`npm test\`
here on Linux (x64), where \`npm install\` brings one along, or install a later Node.js`)
  }
  for (const file of ['packages/server/dist/main.js', 'packages/mcp/dist/main.js']) {
    if (!existsSync(new URL(`../${file}`, import.meta.url))) {
      advise(`${file} is missing: run \`npm install\` and \`npm run build\` at the root of the repository first`)
    }
  }
  if (!existsSync(new URL('node_modules/conformance-next', import.meta.url))) {
    advise('the suite is missing: run `npm install` here first')
  }
}

function advise(advice) {
  console.error(advice)
  process.exit(1)
}
