export const Form = () => (
  <form method="post" action="/login">
    <h1>Sign in</h1>
    <label htmlFor="email">Email</label>
    <input id="email" name="email" type="email" autoComplete="username" required />
    <label htmlFor="password">Password</label>
    <input id="password" name="password" type="password" autoComplete="current-password" required />
    <button type="submit">Sign in</button>
  </form>
)
