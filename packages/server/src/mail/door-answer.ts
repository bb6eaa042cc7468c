import type { DoorTexts } from '../texts/door-texts.ts'

/** Describes in words what the open-door alarm saw. An attacker may choose parts of `detail`. */
export const answerText = (
  { status, detail }: { status: number | null; detail: string | null },
  { answer }: Pick<DoorTexts, 'answer'>,
): string => {
  if (status === null) return detail === null ? answer.noneUnknown : answer.none(detail)
  return detail === null ? answer.status(String(status)) : answer.redirect(String(status), detail)
}
