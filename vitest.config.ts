import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { serverTests } from './packages/testing/src/vitest/serverTests.ts'

/** Files that take long for their size: Vitest would start them last. */
const long = /\/(accessMatrix|protected|process\.slow|transfer\.slow|managementModel\.slow|simulation)\.test\.ts$/

/** Starts the long files of each package first, so that none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))]
    })
  }
}

const projects = [
  'packages/{contract,core,dashboard,kit,openfeature-provider}',
  ...['cli', 'mcp', 'server'].map((name) => serverTests(import.meta.dirname, name))
]

export default defineConfig({
  test: { projects, maxWorkers: '100%', sequence: { sequencer: LongestFirst } }
})
