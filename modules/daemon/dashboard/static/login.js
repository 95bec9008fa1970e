// The link was followed by a browser that runs scripts: nobody has to click.
document.getElementById("login").submit();
