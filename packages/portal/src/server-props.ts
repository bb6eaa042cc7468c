import { forgetErrorInTitle } from './title.ts'

/** The properties that the server left beside the page it rendered. */
export const serverProps = <Props>(isProps: (props: unknown) => props is Props): Props => {
  const props: unknown = JSON.parse(document.getElementById('gatehouse-props')?.textContent ?? 'null')
  if (!isProps(props)) throw new TypeError('the page came without its properties')
  forgetErrorInTitle()
  return props
}
