// The code is sent when its last digit is typed or pasted: nobody has to click.
const login = document.getElementById("login");
login.elements.code.addEventListener("input", () => {
  if (login.elements.code.value.replace(/\D/g, "").length === 6) login.requestSubmit();
});
