import type { Environment } from '@burgee/kit/settings'
import { tryGit } from './git.ts'

/** Where scanned code comes from. */
export interface CodeRevision {
  readonly repo: string | undefined
  readonly branch: string | undefined
  readonly commit: string | undefined
  /** `undefined` if neither git nor the CI system tells. */
  readonly isDefaultBranch: boolean | undefined
  /** The path of the folder in the repository, with `/` at its end unless it is the root. */
  readonly prefix: string
}

/** Returns the repository and the branch of a folder, from the CI system or git. */
export function readRevision(folder: string, environment: Environment): CodeRevision {
  const {
    GITHUB_REPOSITORY,
    GITHUB_HEAD_REF,
    GITHUB_REF_NAME,
    CI_PROJECT_PATH,
    CI_COMMIT_REF_NAME,
    CI_DEFAULT_BRANCH
  } = environment
  const head = tryGit(folder, 'rev-parse', '--abbrev-ref', 'HEAD')
  // `HEAD` is a checkout of a commit, as in CI.
  const own = head === 'HEAD' ? undefined : head
  const branch = GITHUB_HEAD_REF || GITHUB_REF_NAME || CI_COMMIT_REF_NAME || own
  const remote = tryGit(folder, 'symbolic-ref', '--short', 'refs/remotes/origin/HEAD')?.replace(/^origin\//, '')
  const main = CI_DEFAULT_BRANCH || remote
  return {
    repo: GITHUB_REPOSITORY || CI_PROJECT_PATH || toRepo(tryGit(folder, 'remote', 'get-url', 'origin')),
    branch,
    commit: tryGit(folder, 'rev-parse', 'HEAD'),
    isDefaultBranch: main && branch ? main === branch : undefined,
    prefix: tryGit(folder, 'rev-parse', '--show-prefix') ?? ''
  }
}

/** Returns `owner/name` of the address of a remote. */
function toRepo(address: string | undefined): string | undefined {
  return address?.replace(/\.git$/, '').match(/[:/]([^:/]+\/[^:/]+)$/)?.[1]
}
