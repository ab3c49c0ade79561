const words = [
  'password passwort passphrase passcode pass secret letmein welcome changeme change default access',
  'admin administrator root user login guest test testing demo temp master superuser',
  'superman batman spiderman pokemon starwars dragon monkey tiger shadow sunshine princess',
  'football baseball basketball soccer hockey iloveyou lovely trustno whatever freedom',
  'flower cookie chocolate summer winter spring autumn monday friday sunday',
  'january february march april june july august september october november december',
  'michael jordan jennifer jessica ashley charlie daniel thomas andrew george',
  'company computer internet server service system oracle cisco google facebook samsung hello qwerty',
  'burgee feature flag flags'
]

/**
 * Words that are common in passwords: top entries of leaked lists, and the vocabulary of this product. In lower case
 * letters; `validatePassword.ts` maps digits and symbols back to letters.
 */
export const commonWords: readonly string[] = words.flatMap((line) => line.split(' '))

/** Character sequences of the alphabet and of keyboards. */
export const characterSequences: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p',
  '!qaz@wsx#edc$rfv%tgb^yhn&ujm*ik(ol)p',
  '1q2w3e4r5t6y7u8i9o0p',
  '!@#$%^&*()_+'
]
