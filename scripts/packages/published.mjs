// The packages that `npm run release` publishes.
import { readdirSync, readFileSync } from 'node:fs'

const packages = new URL('../../packages/', import.meta.url)

export const published = readdirSync(packages)
  .map((directory) => {
    const folder = new URL(`${directory}/`, packages)
    const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
    return { name: manifest.name, directory, folder, manifest }
  })
  .filter(({ manifest }) => !manifest.private)
